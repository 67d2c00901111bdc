export { StuckPage } from './stuck-page';
