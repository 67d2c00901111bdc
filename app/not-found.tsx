import { Mark } from '@/components/shell';
import { ButtonLink } from '@/components/ui';
import { useTranslations } from '@/lib/i18n/use-translations';

export default function NotFound() {
  const t = useTranslations('shell.notFound');
  return (
    <main className="lone">
      <div className="blank">
        <span className="brand">
          <Mark />
        </span>
        <h1>{t('title')}</h1>
        <p>{t('text')}</p>
        <ButtonLink href="/">{t('home')}</ButtonLink>
      </div>
    </main>
  );
}
