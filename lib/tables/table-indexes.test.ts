import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { freshDeps } from '@/lib/testing/deps'
import { insertTestRecords, installTestEntity } from '@/lib/testing/entity'
import { maxTextBytes } from './table-indexes'

const deps = freshDeps()

/** Text that does not compress, of as many bytes as characters. */
const noise = (length: number) => randomBytes(length).toString('base64').slice(0, length)

const install = () =>
  installTestEntity(deps, {
    entity: {
      name: 'Text',
      pks: [
        { key: 'k', strategy: 'Fixed' },
        { key: 'n', strategy: 'AutoIncrement' },
      ],
      indexes: [{ fields: ['free', 'listed', 'n'] }],
    },
    schema: {
      properties: [
        { name: 'free', type: 'string' },
        { name: 'plain', type: 'string' },
        { name: 'listed', type: 'longtext', indexed: true },
        { name: 'only', type: 'string', unique: true },
        { name: 'found', type: 'string', searchable: true },
      ],
    },
  })

test('texts as long as an index allows can be stored', async () => {
  const entity = await install()
  const limits = ['k', 'free', 'listed', 'only'].map((name) => [name, maxTextBytes(entity, name)])
  expect(limits).toEqual([
    ['k', 1200],
    ['free', 1200],
    ['listed', 1200],
    ['only', 2400],
  ])
  const record = Object.fromEntries(limits.map(([name, bytes]) => [name, noise(Number(bytes))]))
  await insertTestRecords(deps, entity, [record])
})

test('texts without an index, or with one for their contents, have no limit', async () => {
  const entity = await install()
  expect(maxTextBytes(entity, 'plain')).toBeNull()
  expect(maxTextBytes(entity, 'found')).toBeNull()
  await insertTestRecords(deps, entity, [{ k: 'a', plain: noise(100_000), found: noise(100_000) }])
})

test('PostgreSQL refuses longer ones, which is why there is a limit', async () => {
  const entity = await install()
  await expect(
    insertTestRecords(deps, entity, [{ k: 'a', only: noise(3000) }]),
  ).rejects.toMatchObject({ cause: { code: '54000' } })
})
