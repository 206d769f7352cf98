import { pluginFiles } from '@/lib/testing/archive'
import type { Files } from './plugin-api'
import { FIXED } from './reference-plugins'

export const typed = (
  types: object[],
  properties: object[],
  data: object[],
  more: Files = {},
): Files => ({
  ...pluginFiles({
    Z_types: { manifest: { target: 'EngineTypes' }, files: { 'types.json': types } },
    EngineSchemas: { files: { 'E.json': { name: 'E', properties } } },
    EngineEntities: { files: { 'E.json': { name: 'E', pks: FIXED } } },
    E: { files: { 'data.json': data } },
  }),
  ...more,
})
export const CODE = {
  name: 'AirportCode',
  baseType: 'string',
  meta: { pattern: '^[A-Z]{4}$', maxLength: 4 },
}
export const property = (type: string, meta: object = {}) => [{ name: 'v', type, meta }]
