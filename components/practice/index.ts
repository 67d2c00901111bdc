export { PracticeButton } from './practice-button';
