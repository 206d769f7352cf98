import { property, testSameRecords } from '../../testing/changed-items'

testSameRecords([
  [
    'a date becomes a datetime',
    [{ a: '2020-01-01' }, { a: '2020-01-02' }],
    { properties: [property('a', 'date')] },
    { properties: [property('a', 'datetime')] },
  ],
  [
    'an undeclared text is declared',
    [{ a: '2020-01-01T10:00:00+02:00' }, { a: '2020-01-02' }],
    { properties: [property('b', 'string')] },
    { properties: [property('b', 'string'), property('a', 'datetime')] },
  ],
])
