export { SandboxDetailPage } from './detail/sandbox-page';
export { SandboxesPage } from './sandboxes-page';
