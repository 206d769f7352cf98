import { pluginFiles } from '@/lib/testing/archive'
import type { Files } from './plugin-api'

/** A plugin whose entity counts by itself, with data files `0.json`, `1.json`, … */
export function counting(files: object[][], type: 'number' | 'string' = 'number'): Files {
  const pks = [{ key: 'no', strategy: 'AutoIncrement', type }]
  const properties = [{ name: 'code', type: 'string', unique: true }]
  const contents = Object.fromEntries(files.map((records, at) => [`${at}.json`, records]))
  return pluginFiles({
    EngineSchemas: { files: { 'Thing.json': { name: 'Thing', properties } } },
    EngineEntities: { files: { 'Thing.json': { name: 'Thing', pks } } },
    Thing: { files: contents },
  })
}
