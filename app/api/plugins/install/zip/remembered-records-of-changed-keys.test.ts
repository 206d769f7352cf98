import { property, testSameRecords } from '../../testing/changed-items'

testSameRecords([
  [
    'the key becomes a text',
    [{ a: 'x' }, { a: 'x' }, { id: null, a: 'y' }],
    { properties: [property('a', 'string')] },
    { key: 'string', properties: [property('a', 'string')] },
  ],
])
