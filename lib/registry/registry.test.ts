import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Deps } from '@/lib/deps'
import { defineTestEntity, defineTestSchema } from '@/lib/testing/define'
import { freshDeps } from '@/lib/testing/deps'
import { findEntity, listEntities, loadEntities, registryChanged } from './registry'

const deps = freshDeps()
afterEach(() => {
  vi.useRealTimers()
})

const names = async (of: Deps) => (await listEntities(of)).map(({ name }) => name)

/** Another process on the same database: it has the same bus, and a cache of its own. */
const otherProcess = (): Deps => ({ ...deps })

describe('the registry', () => {
  test('merges an entity with the schema that it names, or that has its name', async () => {
    const properties = [{ name: 'code', type: 'string' }]
    await defineTestSchema(deps, { name: 'Place', properties, additionalProperties: false })
    await defineTestEntity(deps, { name: 'City', engineSchema: 'Place', auditable: true })
    await defineTestEntity(deps, { name: 'Place' })
    await defineTestEntity(deps, { name: 'Road' })
    const fields = (await loadEntities(deps.db)).map(({ name, open, properties: all }) => [
      name,
      open,
      all.map((property) => property.name).join(),
    ])
    expect(fields).toEqual([
      ['City', false, 'id,code,CreatedAt,CreatedBy,LastUpdatedAt,LastUpdatedBy'],
      ['Place', false, 'id,code'],
      ['Road', true, 'id'],
    ])
  })

  test('puts a declared key first, with the type that the schema gives it', async () => {
    const properties = [
      { name: 'code', type: 'string' },
      { name: 'id', type: 'smallint', label: 'No.', max: 9 },
    ]
    await defineTestSchema(deps, { name: 'City', properties })
    await defineTestEntity(deps, { name: 'City' })
    const entity = await findEntity(deps, 'City')
    expect(entity.properties.map(({ name }) => name)).toEqual(['id', 'code'])
    expect(entity.properties[0]).toMatchObject({
      type: 'smallint',
      label: 'No.',
      rules: { max: 9 },
    })
  })

  test('is one for all bundles of a process, before any message arrives', async () => {
    const bus = { publish: async () => {}, subscribe: async () => () => {} }
    const slow: Deps = { ...deps, bus }
    vi.resetModules()
    const other = await import('./registry')
    expect(await other.listEntities(slow)).toEqual([])
    await defineTestEntity(deps, { name: 'City' })
    await registryChanged(slow)
    expect((await other.findEntity(slow, 'City')).name).toBe('City')
  })

  test('finds what another process has just installed, before any message arrives', async () => {
    const slow: Deps = {
      ...deps,
      bus: { publish: async () => {}, subscribe: async () => () => {} },
    }
    expect(await names(slow)).toEqual([])
    await defineTestEntity(deps, { name: 'City' })
    for (const unknown of ['Town', 'city', 'a\0'])
      await expect(findEntity(slow, unknown)).rejects.toMatchObject({ code: 'not_found' })
    expect(await names(slow)).toEqual([])
    expect((await findEntity(slow, 'City')).name).toBe('City')
  })

  test('names the nearest entity when there is none of a name', async () => {
    await defineTestEntity(deps, { name: 'Airport' })
    await expect(findEntity(deps, 'Airprot')).rejects.toMatchObject({
      code: 'not_found',
      message: 'There is no entity "Airprot"; did you mean "Airport"?',
    })
    await expect(findEntity(deps, 'airport')).rejects.toMatchObject({ code: 'not_found' })
    await expect(findEntity(deps, '__proto__')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is cached until it is notified of a change', async () => {
    expect(await names(deps)).toEqual([])
    await defineTestEntity(deps, { name: 'City' })
    expect(await names(deps)).toEqual([])
    await registryChanged(deps)
    expect(await names(deps)).toEqual(['City'])
  })

  test('is notified of changes in other processes', async () => {
    const other = otherProcess()
    expect(await names(other)).toEqual([])
    await defineTestEntity(deps, { name: 'City' })
    await registryChanged(deps)
    await expect.poll(() => names(other)).toEqual(['City'])
  })

  test('is read again after five seconds if a message was lost', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    expect(await names(deps)).toEqual([])
    await defineTestEntity(deps, { name: 'City' })
    vi.setSystemTime(Date.now() + 4_900)
    expect(await names(deps)).toEqual([])
    vi.setSystemTime(Date.now() + 200)
    expect(await names(deps)).toEqual(['City'])
  })

  test('does not keep what was read while it changed', async () => {
    const reading = names(deps)
    await defineTestEntity(deps, { name: 'City' })
    await registryChanged(deps)
    await reading
    expect(await names(deps)).toEqual(['City'])
  })

  test('is read again after a failure', async () => {
    let isBroken = true
    const select = deps.db.select.bind(deps.db)
    const db = Object.assign(Object.create(deps.db) as Deps['db'], {
      select: (fields: never) => {
        if (isBroken) throw new Error('away')
        return select(fields)
      },
    })
    const flaky = { ...deps, db }
    await expect(names(flaky)).rejects.toThrow('away')
    isBroken = false
    expect(await names(flaky)).toEqual([])
  })

  test('can be read inside a transaction, with its changes', async () => {
    await expect(
      deps.db.transaction(async (tx) => {
        await defineTestEntity({ ...deps, db: tx }, { name: 'City' })
        expect(await loadEntities(tx)).toMatchObject([{ name: 'City' }])
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    expect(await loadEntities(deps.db)).toEqual([])
  })
})
