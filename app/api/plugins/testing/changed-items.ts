import { expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { installAsPlanned } from './install-as-planned'
import type { Files } from './plugin-api'

export const deps = freshDeps()

export const install = (files: Files) => installAsPlanned(deps, files)

type Version = { key?: string; properties: object[] }

export const items = (records: object[], { key = 'number', properties }: Version) =>
  pluginFiles({
    EngineSchemas: { files: { 'Item.json': { name: 'Item', properties } } },
    EngineEntities: {
      files: {
        'Item.json': { name: 'Item', pks: [{ key: 'id', strategy: 'AutoIncrement', type: key }] },
      },
    },
    Item: { manifest: { target: 'Item', insertDuplicate: 'Upsert' }, files: { 'd.json': records } },
  })

export const property = (name: string, type: string) => ({ name, type })

type Change = [what: string, records: object[], before: Version, after: Version]

/** A test of each case: records without keys are known after a change of their entity. */
export const testSameRecords = (cases: Change[]) =>
  test.each(cases)('records stay the same when %s', async (_, records, before, after) => {
    expect((await install(items(records, before))).counts).toEqual([records.length, 0, 0])
    expect((await install(items(records, after))).counts).toEqual([0, 0, records.length])
    expect((await install(items(records, after))).counts).toEqual([0, 0, records.length])
  })
