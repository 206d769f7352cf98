import { expect, test } from 'vitest'
import { decided, threeConflicts } from '../../testing/decisions'
import { search } from '../../testing/versions'

test.each([
  ['no JSON', '{', 'decisions'],
  ['another shape', { Thing: ['1'] }, 'decisions.Thing'],
  ['a word that is none', { Thing: { drop: ['1'] } }, 'decisions.Thing'],
  ['two decisions about a record', { Thing: { keep: ['1'], take: ['1'] } }, 'decisions.Thing'],
])('decisions in %s are refused', async (_, decisions, field) => {
  const { status, body } = await decided(decisions, '?dryRun=true')
  expect(status).toBe(400)
  expect(body.error).toContain(field)
})

test('a decision about a record without a conflict is refused, and so is one without a plan', async () => {
  await threeConflicts()
  const unknown = await decided(
    { Thing: { take: ['1', '2'] }, Thong: { keep: ['7'] } },
    '?dryRun=true',
  )
  expect(unknown.status).toBe(400)
  expect(unknown.body.error).toBe(
    'The decisions name records without a conflict: Thing "2", Thong "7". Leave them out',
  )
  const unplanned = await decided({ Thing: { take: ['1'] } }, '')
  expect(unplanned.status).toBe(400)
  expect(unplanned.body.error).toContain('seal')
  expect(await search({ fields: ['price'] })).toEqual([{ price: 9 }, { price: 5 }])
})
