export { Mark } from './mark';
export { objectHref } from './navigation';
export { useScope } from './scope';
export { Shell } from './shell';
