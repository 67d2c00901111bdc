import 'server-only';

export { digestPod } from '@/lib/domain/diagnosis/read-pod';
