import { describe, expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { install, upload, verdicts } from '../../testing/plugin-api'

const deps = freshDeps()

const GOOD = { name: 'Thing', properties: [{ name: 'size', type: 'integer', min: 0 }] }
const WRONG = { name: 'Thing', properties: [{ name: 'size', type: 'whole' }] }

/** `Thing` with a record that only its schema would refuse. */
const plugin = (schemas: Record<string, unknown>, entity: object = { name: 'Thing' }) =>
  pluginFiles({
    EngineSchemas: { files: schemas },
    EngineEntities: { files: { 'Thing.json': entity } },
    Thing: { files: { 'data.json': [{ size: -1 }] } },
  })

describe('an entity whose schema the archive holds, but broken', () => {
  test.each([
    ['a wrong schema', { 'Thing.json': WRONG }, 'Invalid definition'],
    ['a schema that is no JSON', { 'Thing.json': '{ "name": "Thing"' }, 'Invalid JSON'],
    [
      'a wrong schema among others',
      { 'all.json': [{ name: 'Other' }, WRONG] },
      'Invalid definition',
    ],
  ])('does not become free-form for %s, nor takes data', async (_, schemas, error) => {
    const files = plugin(schemas)
    const expected = {
      [`EngineSchemas/${Object.keys(schemas)[0]}`]: error,
      'EngineEntities/Thing.json': 'Missing dependency',
      'Thing/data.json': 'Missing dependency',
    }
    const planned = await upload(deps, files, { query: '?dryRun=true' })
    expect(verdicts(planned.body.data.plan.files)).toEqual(expected)
    const { logs } = await install(deps, files)
    expect(verdicts(logs)).toEqual(expected)
    expect(logs[1]?.details).toEqual([
      {
        index: 0,
        pointer: '/name',
        value: 'Thing',
        message: 'The schema "Thing" of the archive failed, and none is installed',
      },
    ])
  })

  test('keeps the schema that is installed', async () => {
    await install(deps, plugin({ 'Thing.json': GOOD }))
    const { logs } = await install(deps, plugin({ 'Thing.json': WRONG }))
    expect(verdicts(logs)).toEqual({
      'EngineSchemas/Thing.json': 'Invalid definition',
      'EngineEntities/Thing.json': 'unchanged',
      'Thing/data.json': 'Missing dependency',
    })
  })

  test('is made by the next version of the archive', async () => {
    await install(deps, plugin({ 'Thing.json': WRONG }))
    const { logs } = await install(deps, {
      ...plugin({ 'Thing.json': GOOD }),
      'Thing/data.json': [{}],
    })
    expect(logs.map(({ status }) => status)).toEqual(['created', 'created', 'created'])
  })

  test('of another name is free-form all the same', async () => {
    const { logs } = await install(deps, plugin({ 'Other.json': { ...WRONG, name: 'Other' } }))
    expect(verdicts(logs)).toMatchObject({
      'EngineSchemas/Other.json': 'Invalid definition',
      'EngineEntities/Thing.json': 'created',
      'Thing/data.json': 'created',
    })
  })
})
