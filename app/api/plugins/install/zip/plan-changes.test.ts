import { expect, test } from 'vitest'
import { freshDeps } from '@/lib/testing/deps'
import { upload } from '../../testing/plugin-api'
import { shop } from '../../testing/signed-shop'

const deps = freshDeps()

/** The version with more keys in its manifest. */
const shopWith = (more: object) => {
  const files = shop('1.3.0')
  return { ...files, 'engineplugin.json': { ...(files['engineplugin.json'] as object), ...more } }
}
const plan = async (more: object) => {
  const { status, body } = await upload(deps, shopWith(more), { query: '?dryRun=true' })
  return { status, error: body.error, plan: body.data?.plan }
}

test('a plan says what its author says is new, as it is written', async () => {
  const changes = '# Sizes\n- <b>half</b> sizes'
  expect((await plan({ changes })).plan.changes).toBe(changes)
  for (const none of [{}, { changes: '' }, { changes: null }])
    expect((await plan(none)).plan).not.toHaveProperty('changes')
})

test('a text that is too long, or none, is refused', async () => {
  for (const changes of ['x'.repeat(10_001), ['one']])
    expect(await plan({ changes })).toMatchObject({
      ...{ status: 400, error: expect.stringContaining('changes') },
    })
  expect((await plan({ changes: 'x'.repeat(10_000) })).status).toBe(200)
})

test('a plugin that is made for other versions of the engine warns in its plan', async () => {
  const warningsOf = async (engine: string) =>
    (await plan({ engine })).plan.files.flatMap(({ warnings }: { warnings: unknown[] }) => warnings)
  expect(await warningsOf('>=900')).toEqual([
    { pointer: '/engine', message: expect.stringContaining('made for the engine >=900') },
  ])
  expect(await warningsOf('<900')).toEqual([])
  expect(await plan({ engine: '^1' })).toMatchObject({
    status: 400,
    error: expect.stringContaining('>=1.2 <2'),
  })
})
