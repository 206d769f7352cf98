import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { POST } from '@/app/api/plugins/install/zip/route'
import { archiveOf, pluginFiles, uploadOf } from '@/lib/testing/archive'
import { freshDeps, testDeps } from '@/lib/testing/deps'
import { testRequest } from '@/lib/testing/request'
import { type Files, install, upload } from '../../testing/plugin-api'

const deps = freshDeps()

/** One file that takes long to read and check: many slices, one transaction. */
const many = (count: number): Files =>
  pluginFiles({
    EngineEntities: { files: { 'Thing.json': { name: 'Thing' } } },
    EngineSchemas: {
      files: {
        'Thing.json': {
          name: 'Thing',
          properties: [{ name: 'code', type: 'string', pattern: '[ab]*a[ab]{60}' }],
        },
      },
    },
    Thing: {
      files: { 'data.json': Array.from({ length: count }, () => ({ code: 'ab'.repeat(60) })) },
    },
  })

const LARGE = await archiveOf(many(30_000))

test('a dry run is stopped at its limit in the middle of a file', async () => {
  await testDeps({ DRY_RUN_TIMEOUT_MS: '500' })
  const startedAt = performance.now()
  expect(await upload(deps, LARGE, { query: '?dryRun=true' })).toMatchObject({
    status: 422,
    body: { error: expect.stringContaining('longer than 0.5 s') },
  })
  expect(performance.now() - startedAt).toBeLessThan(20_000)
  expect((await install(deps, many(1))).body.data.failedCount).toBe(0)
})

test('a dry run is stopped when its client leaves', async () => {
  const body = uploadOf(LARGE)
  const path = '/api/plugins/install/zip?dryRun=true'
  const request = await testRequest(deps, { method: 'POST', path, body, as: 'ADMIN' })
  const client = new AbortController()
  const response = POST(new Request(request, { signal: client.signal }), {
    params: Promise.resolve({}),
  })
  while (!(await deps.locks.isHeld('dry-run'))) await nextTurn()
  client.abort()
  expect((await response).status).toBe(503)
  expect(await deps.locks.isHeld('dry-run')).toBe(false)
})

/** Holds the lock of dry runs; returns a function that releases it. */
async function holdDryRuns(): Promise<() => Promise<void>> {
  let release = () => {}
  let taken = () => {}
  const isTaken = new Promise<void>((resolve) => {
    taken = resolve
  })
  const work = () => {
    taken()
    return new Promise<void>((resolve) => {
      release = resolve
    })
  }
  const held = deps.locks.hold('dry-run', 0, work)
  await isTaken
  return async () => {
    release()
    await held
  }
}

test('concurrent dry runs wait for each other', async () => {
  const release = await holdDryRuns()
  const waiting = Promise.all([1, 2].map(() => upload(deps, many(1), { query: '?dryRun=true' })))
  await nextTurn()
  await release()
  expect((await waiting).map(({ status }) => status)).toEqual([200, 200])
})

test('a dry run that waited too long for another says so', async () => {
  await testDeps({ INSTALL_WAIT_MS: '50' })
  const release = await holdDryRuns()
  const refused = await upload(deps, many(1), { query: '?dryRun=true' })
  await release()
  expect(refused).toMatchObject({
    status: 503,
    body: { error: 'Another dry run is in progress; try again when it is done' },
  })
  expect(refused.headers.get('retry-after')).toBe('10')
})
