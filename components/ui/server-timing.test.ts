import { expect, test } from 'vitest'
import { timingText } from '@/components/entities/share-dialog'

test.each([
  ['auth;dur=0.3, db;dur=1.24, total;dur=3', 'auth 0.3 ms · db 1.2 ms · total 3.0 ms'],
  ['cache;desc="hit", total;dur=2.0', 'total 2.0 ms'],
  ['', ''],
  [null, ''],
])('%j is read as “%s”', (header, text) => expect(timingText(header)).toBe(text))
