import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { auditLog, publishers } from '@/lib/db/schema'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import * as publisher from './[id]/route'
import * as all from './route'

const deps = freshDeps()
const KEY = 'RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3'
const FILE = `untrusted comment: minisign public key E7620F1842B4E81F\n${KEY}\n`
/** Of another number. */
const OTHER = 'RWTdDn97H9RCjphnUcQGMupDMyBnqfxDxTyoMj2XmqjajME6sWszUHTn'

const trust = (body: unknown, as = 'ADMIN') =>
  call(deps, all.POST, { method: 'POST', path: '/api/publishers', as, body })
const list = async () => {
  const { body } = await call(deps, all.GET, { path: '/api/publishers', as: 'ADMIN' })
  return body.data
}
const remove = (id: string) => {
  const path = `/api/publishers/${id}`
  return call(deps, publisher.DELETE, { method: 'DELETE', path, params: { id }, as: 'ADMIN' })
}
const audited = async (action: string) => {
  const [found] = await deps.db.select().from(auditLog).where(eq(auditLog.action, action))
  return found
}

describe('a publisher', () => {
  test('is trusted by its key, as a line or as a file, until it is removed', async () => {
    expect(await list()).toEqual([])
    const made = await trust({ name: 'Acme', publicKey: FILE, expiresAt: '2100-01-01T00:00:00Z' })
    expect(made).toMatchObject({ status: 201 })
    expect(made.body.data).toEqual([
      {
        id: expect.any(String),
        name: 'Acme',
        keyId: 'E7620F1842B4E81F',
        publicKey: KEY,
        expiresAt: '2100-01-01T00:00:00.000Z',
        expired: false,
        createdBy: expect.any(String),
        createdAt: expect.any(String),
      },
    ])
    await trust({ name: 'Aardvark', publicKey: OTHER })
    expect((await list()).map(({ name }: { name: string }) => name)).toEqual(['Aardvark', 'Acme'])
    expect(await audited('publishers.create')).toMatchObject({
      objectId: 'Acme',
      details: { after: { keyId: 'E7620F1842B4E81F' } },
    })
    const { id } = made.body.data[0]
    expect((await remove(id)).status).toBe(200)
    expect((await remove(id)).status).toBe(404)
    expect(await audited('publishers.delete')).toMatchObject({ objectId: 'Acme' })
    expect(await list()).toHaveLength(1)
  })

  test('is expired from its end on', async () => {
    await trust({ name: 'Acme', publicKey: KEY, expiresAt: '2100-01-01T00:00:00Z' })
    await deps.db.update(publishers).set({ expiresAt: new Date('2001-01-01') })
    expect(await list()).toMatchObject([{ expired: true }])
  })

  test('has a name and a key of its own', async () => {
    await trust({ name: 'Acme', publicKey: KEY })
    const sameKey = await trust({ name: 'Other', publicKey: FILE })
    expect([sameKey.status, sameKey.body.error]).toEqual([409, expect.stringContaining('"Acme"')])
    const sameName = await trust({ name: 'ACME', publicKey: OTHER })
    expect([sameName.status, sameName.body.error]).toEqual([409, expect.stringContaining('ACME')])
  })

  test('of several at the same moment is one', async () => {
    const made = await Promise.all([1, 2, 3].map((n) => trust({ name: `A${n}`, publicKey: KEY })))
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  })

  test.each([
    ['no key', { name: 'Acme', publicKey: 'RWQf6LR' }, 'publicKey'],
    ['a secret key', { name: 'Acme', publicKey: KEY.replace('RWQ', 'RWR') + KEY }, 'publicKey'],
    ['a key that is too long', { name: 'Acme', publicKey: 'R'.repeat(2_000) }, 'publicKey'],
    ['no name', { name: ' ', publicKey: KEY }, 'name'],
    [
      'an end in the past',
      { name: 'A', publicKey: KEY, expiresAt: '2001-01-01T00:00:00Z' },
      'expiresAt',
    ],
  ])('with %s is refused', async (_, body, field) => {
    const { status, body: answer } = await trust(body)
    expect([status, answer.validations[0].field]).toEqual([400, field])
  })

  test('is added by administrators alone', async () => {
    expect((await trust({ name: 'Acme', publicKey: KEY }, 'EDITOR')).status).toBe(403)
  })

  test('is one of a hundred at most', async () => {
    const row = (n: number) => ({
      name: `P${n}`,
      keyId: `${n}`,
      publicKey: KEY,
      createdBy: 'test',
    })
    await deps.db.insert(publishers).values(Array.from({ length: 100 }, (_, n) => row(n)))
    const { status, body } = await trust({ name: 'Acme', publicKey: KEY })
    expect([status, body.error]).toEqual([409, expect.stringContaining('100')])
  })
})
