import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { mentionsIn } from '@/lib/comments/mentions'
import { mails, users } from '@/lib/db/schema'
import { unsealMail } from '@/lib/mail/outbox'
import { definePolicy } from '@/lib/policies/define-policy'
import { installTestEntity } from '@/lib/testing/entity'
import { testKey } from '@/lib/testing/request'
import {
  change,
  deps,
  type Headers,
  list,
  mentioned,
  person,
  write,
  written,
} from './testing/remarks'

let ann: Headers

beforeEach(async () => {
  const schema = { properties: [{ name: 'branch', type: 'string' }] }
  await installTestEntity(deps, { entity: { name: 'Order' }, schema }, [
    { id: 1, branch: 'N1' },
    { id: 2, branch: 'S1' },
  ])
  ann = await person('ann@example.com')
  await person('bob@example.com', ['VIEWER'])
})

const NORTH = { field: 'branch', operator: 'eq', value: 'N1' }

/** Clerks read the orders of one branch. */
const allowClerks = () =>
  definePolicy(
    deps.db,
    {
      name: 'clerks',
      principals: ['Clerk'],
      entities: ['Order'],
      actions: ['read'],
      allow: true,
      priority: 0,
      where: [NORTH],
    },
    'test',
  )

describe('a mention', () => {
  test('sends one mail with the comment and the way to it', async () => {
    await write(ann, 'Look, @Bob@Example.com: <i>paid</i>?\n\n@bob@example.com!')
    const [row, ...others] = await deps.db.select().from(mails)
    expect(others).toEqual([])
    expect(row).toMatchObject({ to: 'bob@example.com', template: 'mention' })
    expect(row?.subject).toBe('ann@example.com mentioned you in a comment on Order')
    const mail = row && unsealMail(deps.secret, row.id, row.body ?? '')
    expect(mail?.text).toContain('/entities/Order?record=1&tab=comments')
    expect(mail?.text).toContain('<i>paid</i>?')
    expect(mail?.html).toContain('&lt;i&gt;paid&lt;/i&gt;?')
    expect(mail?.html).not.toContain('<i>')
  })

  test('of the author, of strangers and of those who are not active is just text', async () => {
    await person('eve@example.com', ['ADMIN'])
    await deps.db
      .update(users)
      .set({ status: 'DISABLED' })
      .where(eq(users.email, 'eve@example.com'))
    const text = '@ann@example.com @eve@example.com @nemo@example.com @ @@ bob@example.com'
    expect((await write(ann, text)).body.data).toMatchObject([{ text }])
    expect(await mentioned()).toEqual([])
  })

  test('reaches those alone who may read the record, and the response does not tell', async () => {
    await allowClerks()
    await person('none@example.com', ['Clerks of others'])
    await person('clerk@example.com', ['Clerk'])
    const text = '@clerk@example.com @none@example.com'
    const south = await write(ann, text, { id: '2' })
    expect(await mentioned()).toEqual([])
    const north = await write(ann, text)
    expect(await mentioned()).toEqual(['clerk@example.com'])
    const shape = ({ body }: typeof north) => Object.keys(body.data[0])
    expect(shape(south)).toEqual(shape(north))
    expect(shape(south)).toEqual(['id', 'text', 'author', 'mine', 'createdAt', 'editedAt'])
  })

  test('in an edit mails those who had none about the comment, whatever was between', async () => {
    await person('eve@example.com')
    const id = await written(ann, '@bob@example.com')
    await change(ann, id, '@bob@example.com and @eve@example.com')
    expect(await mentioned()).toEqual(['bob@example.com', 'eve@example.com'])
    await change(ann, id, 'Solved')
    await change(ann, id, '@bob@example.com again')
    expect(await mentioned()).toHaveLength(2)
  })

  test('of two edits at once mails once', async () => {
    const id = await written(ann, 'First')
    await Promise.all(
      ['Second @bob@example.com', 'Third @bob@example.com'].map((text) => change(ann, id, text)),
    )
    expect(await mentioned()).toEqual(['bob@example.com'])
  })

  test('mails ten people at most about a comment, its edits included', async () => {
    const all = Array.from({ length: 12 }, (_, n) => `p${n}@example.com`)
    for (const email of all) await person(email)
    const id = await written(ann, all.map((email) => `@${email}`).join(' '))
    expect(await mentioned()).toHaveLength(10)
    await change(ann, id, '@p10@example.com @p11@example.com')
    expect(await mentioned()).toHaveLength(10)
  })

  test('mails a hundred times in an hour for one author at most', async () => {
    const all = Array.from({ length: 10 }, (_, n) => `p${n}@example.com`)
    for (const email of all) await person(email)
    for (let n = 0; n < 11; n++) await written(ann, all.map((email) => `@${email}`).join(' '))
    expect(await mentioned()).toHaveLength(100)
    const other = await person('other@example.com')
    await written(other, `@${all[0]}`)
    expect(await mentioned()).toHaveLength(101)
  })

  test('by a key is under its name', async () => {
    const key = { authorization: `Bearer ${await testKey(deps, ['EDITOR'])}` }
    await write(key, '@bob@example.com')
    const [row] = await deps.db.select().from(mails)
    expect(row?.subject).toBe('test mentioned you in a comment on Order')
  })

  test.each([
    ['(@a@x.org), @b@x.org.', ['a@x.org', 'b@x.org']],
    ['mail a@x.org, x@a@x.org', []],
    ['@A@X.org @a@x.org', ['a@x.org']],
    ['@ü.b+c@bücher.example!', ['ü.b+c@bücher.example']],
    ['@a @ @@ @a@', []],
  ])('is read in %j', (text, emails) => {
    expect(mentionsIn(text)).toEqual(emails)
  })
})

describe('a record that a policy hides', () => {
  test('has no comments for those who do not see it', async () => {
    await allowClerks()
    const clerk = await person('clerk@example.com', ['Clerk'])
    const id = await written(ann, 'Of the south', { id: '2' })
    const said = ({ body }: { body: { error: string } }, of: string) =>
      body.error.replace(`"${of}"`, '…')
    for (const [hidden, none] of [
      [await list(clerk, { id: '2' }), await list(clerk, { id: '77' })],
      [await write(clerk, 'x', { id: '2' }), await write(clerk, 'x', { id: '77' })],
      [await change(clerk, id, 'x', { id: '2' }), await change(clerk, id, 'x', { id: '77' })],
    ] as const) {
      expect([hidden.status, none.status]).toEqual([404, 404])
      expect(said(hidden, '2')).toBe(said(none, '77'))
    }
    expect((await write(clerk, 'Seen')).status).toBe(201)
    const other = await person('none@example.com', ['Clerks of others'])
    expect((await list(other)).status).toBe(403)
    expect((await write(other, 'x')).status).toBe(403)
  })
})
