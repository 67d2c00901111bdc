import 'server-only';

export * from '@/lib/domain/read';
