import { Loader } from 'lucide-react';
import { Icon } from './icon';

/** Only for a step in progress. Stands still with reduced motion. */
export function Spinner() {
  return <Icon icon={Loader} className="spin" />;
}
