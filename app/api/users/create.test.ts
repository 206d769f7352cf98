import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { verifyPassword } from '@/lib/auth/password'
import { auditLog, mails, userTokens } from '@/lib/db/schema'
import { Browser } from '@/lib/testing/browser'
import { freshDeps } from '@/lib/testing/deps'
import { readInbox } from '@/lib/testing/inbox'
import { ANN, create, created, find, PASSWORD } from './testing/users'

const deps = freshDeps()

describe('creating a user', () => {
  test('with a generated password sends it, and reveals it to no other user', async () => {
    const response = await create({ ...ANN, password: 'ignored' }, '?generatePassword=true')
    expect(response).toMatchObject({ status: 200, body: { code: 200, status: 'OK' } })
    expect(response.body.data).toEqual([{ userId: expect.any(String), ...ANN }])
    const [mail, ...others] = await readInbox(deps)
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      to: ANN.email,
      template: 'activation-with-password',
      status: 'queued',
    })
    const generated = /Your password: (\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
    const row = await find(ANN.email)
    expect(row).toMatchObject({ status: 'REQUIRED_ACTIVATION', mustChangePassword: true })
    expect(await verifyPassword(row?.passwordHash ?? '', generated)).toBe(true)
    expect(await verifyPassword(row?.passwordHash ?? '', 'ignored')).toBe(false)
    expect(response.text).not.toContain(generated)
  })

  test.each(['x', 5, '12345678'])(
    'with a generated password, %j in the body means nothing',
    async (input) => {
      const response = await create({ ...ANN, password: input }, '?generatePassword=true')
      expect(response.status).toBe(200)
    },
  )

  test('with a given password sends the activation mail, which does not hold it', async () => {
    await created({ password: PASSWORD }, '?generatePassword=false')
    const [mail, ...others] = await readInbox(deps)
    expect(others).toEqual([])
    expect(mail).toMatchObject({ to: ANN.email, template: 'activation' })
    expect(mail?.text).not.toContain(PASSWORD)
    expect(mail?.text).toContain('http://localhost:3000/activate?token=')
    const row = await find(ANN.email)
    expect(row).toMatchObject({ status: 'REQUIRED_ACTIVATION', mustChangePassword: false })
    expect(await verifyPassword(row?.passwordHash ?? '', PASSWORD)).toBe(true)
  })

  test.each([{}, { password: null }])('without a password sends nothing: %j', async (input) => {
    expect((await create({ ...ANN, ...input })).status).toBe(200)
    expect(await readInbox(deps)).toEqual([])
    const row = await find(ANN.email)
    expect(row).toMatchObject({ status: 'REQUIRED_RESET_PASSWORD', passwordHash: null })
    expect((await new Browser(deps).signIn(ANN.email, '')).status).toBe(401)
  })

  test('trims the email and keeps its case', async () => {
    const response = await create({ ...ANN, email: '  Ann@Example.com ' })
    expect(response.body.data[0].email).toBe('Ann@Example.com')
  })

  test('a password of eight characters counts characters, not bytes', async () => {
    expect((await create({ ...ANN, password: '👍👎👏🙌👐🤝🙏✋' })).status).toBe(200)
    expect((await create({ ...ANN, email: 'b@example.com', password: '👍👎👏🙌' })).status).toBe(
      400,
    )
  })

  test('is noted in the audit log without secrets', async () => {
    const userId = await created({}, '?generatePassword=true')
    const [entry] = await deps.db.select().from(auditLog)
    expect(entry).toMatchObject({
      action: 'users.create',
      objectType: 'user',
      objectId: userId,
      actorType: 'api_key',
      details: {
        after: { email: ANN.email, roles: ANN.roles },
        passwordGenerated: true,
        mail: 'kept',
      },
    })
  })
})

describe('a mail', () => {
  test('is encrypted where it is stored, and so is no token readable', async () => {
    await created({}, '?generatePassword=true')
    const [mail] = await readInbox(deps)
    const [stored] = await deps.db.select().from(mails)
    expect(stored?.body).not.toContain('token')
    const [token] = await deps.db.select().from(userTokens)
    expect(token?.tokenHash).not.toBe(mail?.token)
    expect(token?.tokenHash).toMatch(/^[0-9a-f]{64}$/)
  })

  test('and account exist together or not at all', async () => {
    await deps.db.execute(
      sql`alter table engine.mails add constraint no_mail check ("to" <> 'ann@example.com')`,
    )
    const response = await create({ ...ANN, password: PASSWORD })
    await deps.db.execute(sql`alter table engine.mails drop constraint no_mail`)
    expect(response.status).toBe(500)
    expect(await find(ANN.email)).toBeUndefined()
  })
})
