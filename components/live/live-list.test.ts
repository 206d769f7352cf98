import { expect, test } from 'vitest'
import type { LiveChange } from './live-change'
import { barText, type LiveList, UNCHANGED, withChanges } from './live-list'

const change = (action: LiveChange['action'], key: string | null): LiveChange => ({
  ...{ entity: 'Book', action, key, fields: [], before: null, after: null, actor: null },
  requestId: null,
})

const after = (...changes: [LiveChange['action'], string | null][]): LiveList =>
  withChanges(
    UNCHANGED,
    changes.map(([action, key]) => change(action, key)),
    new Set(['1', '2']),
  )

test.each<[string, [LiveChange['action'], string | null][], string | null]>([
  [
    'new records are counted',
    [
      ['created', '3'],
      ['entered', '4'],
    ],
    '2 new records',
  ],
  [
    'one that is shown is none',
    [
      ['created', '1'],
      ['updated', '2'],
    ],
    null,
  ],
  [
    'one that comes and goes is none',
    [
      ['created', '3'],
      ['deleted', '3'],
    ],
    null,
  ],
  [
    'deleted ones are counted while they are shown',
    [
      ['deleted', '1'],
      ['left', '2'],
      ['deleted', '9'],
    ],
    '2 deleted',
  ],
  [
    'one that comes back is there',
    [
      ['deleted', '1'],
      ['created', '1'],
    ],
    null,
  ],
  [
    'both are said',
    [
      ['created', '3'],
      ['deleted', '1'],
    ],
    '1 new record, 1 deleted',
  ],
  ['of many no number is known', [['many', null]], 'Records have changed'],
])('%s', (_, changes, text) => {
  const list = after(...changes)
  expect(barText(list, list.added.size)).toBe(text)
})
