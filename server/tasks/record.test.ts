import { expect, it } from 'vitest';
import { titleOf } from './record';

it.each([
  ['# Totals per region\nimport csv\n', 'Totals per region'],
  ['\n  # Über alles\nprint(1)', 'Über alles'],
  ['#!/usr/bin/env python3\nimport os\nprint(os.getcwd())', 'print(os.getcwd())'],
  ['# -*- coding: utf-8 -*-\nprint(1)', 'print(1)'],
  ['import os\n# and now\nprint(2)', 'print(2)'],
  ['import os', 'import os'],
  [`print("${'x'.repeat(100)}")`, `print("${'x'.repeat(72)}…`],
])('%j is called %s', (code, title) => {
  expect(titleOf(code)).toBe(title);
});
