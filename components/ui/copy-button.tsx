'use client';

import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { announce } from './announcer';
import { Button, IconButton } from './button';

/** Puts text on the clipboard. False when the browser refuses: outside secure contexts there is no clipboard. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'vh';
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

/** Copies `text`; says so to everyone. With children it is a button of words, without one of an icon. */
export function CopyButton({ text, label, children }: { text: string; label: string; children?: React.ReactNode }) {
  const t = useTranslations('common.copy');
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    const done = await copyText(text);
    setCopied(done);
    announce(done ? t('done') : t('failed'));
  };
  const reset = () => setCopied(false);
  if (children) {
    return (
      <Button icon={copied ? Check : Copy} onClick={copy} onBlur={reset} onPointerLeave={reset}>
        {children}
      </Button>
    );
  }
  return (
    <IconButton
      label={label}
      hint={copied ? t('done') : label}
      icon={copied ? Check : Copy}
      onClick={copy}
      onBlur={reset}
      onPointerLeave={reset}
    />
  );
}
