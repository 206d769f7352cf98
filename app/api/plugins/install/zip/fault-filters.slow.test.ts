import { expect, test } from 'vitest'
import { found, groupsOf, things } from '../../testing/fault-groups'
import { installed, integer, SCHEMA, text, version } from '../../testing/versions'

/** Fields before and after, the value of each of 300 records, and how many of them are wrong. */
type Case = [string, object, object, (id: number) => unknown, number]

test.each<Case>([
  ['many values', text('v'), text('v', { enum: ['a'] }), (id) => `t${id}`, 300],
  ['a lower limit', integer('v'), integer('v', { min: 100 }), (id) => id, 100],
  ['an upper limit', integer('v'), integer('v', { max: 99 }), (id) => id, 200],
  ['a length', text('v'), text('v', { maxLength: 2 }), (id) => 'x'.repeat(id % 5), 120],
  ['a pattern', text('v'), text('v', { pattern: '^a' }), (id) => `t${id % 60}`, 300],
  ['a format', text('v'), text('v', { format: 'email' }), (id) => `t${id % 3}`, 300],
  ['a value', integer('v'), integer('v', { required: true }), (id) => (id % 3 ? id : null), 100],
  ['a type', text('v'), integer('v'), (id) => (id % 2 ? `t${id % 40}` : `${id}`), 150],
  ['long texts', text('v'), text('v', { maxLength: 500 }), (id) => 'x'.repeat(401 + id), 200],
  ['no repetition', text('v'), text('v', { unique: true }), (id) => `t${id % 60}`, 300],
])(
  'the search for stored records that break %s finds as many as are counted',
  async (about, before, after, of, total) => {
    await installed(
      version({ properties: [before], records: things(300, (id) => ({ v: of(id) })) }),
    )
    const groups = await groupsOf(version({ properties: [after] }), SCHEMA)
    expect(groups.reduce((sum, group) => sum + group.total, 0)).toBe(total)
    const searched = groups.filter(({ filter }) => filter !== null)
    expect(await Promise.all(searched.map(found))).toEqual(searched.map((group) => group.total))
    expect(searched).toHaveLength(about === 'long texts' ? 0 : groups.length)
    expect(groups.every(({ keys }) => keys.length > 0)).toBe(true)
  },
)
