import { expect, it } from 'vitest';
import { compareImages } from '@/lib/domain/images';
import { kindOf } from './image-comparison';

const hex = 'ab'.repeat(32);

it.each([
  [`sha256:${hex}`, 'id'],
  [hex, 'id'],
  [`reg.local/a/b:v1@sha256:${hex}`, 'tagAndDigest'],
  [`reg.local/a/b@sha256:${hex}`, 'digest'],
  ['reg.local/a/b:v1', 'tag'],
  ['nginx', 'untagged'],
  ['Not An Image', 'unparsable'],
])('tells what kind of identifier %s is', (image, kind) => {
  expect(kindOf(compareImages(image, 'x').spec)).toBe(kind);
});
