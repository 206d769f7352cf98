import { BUILT_IN_TYPES } from '@/lib/definitions/property-types'
import { archiveOf, pluginFiles } from '@/lib/testing/archive'

const PROPERTIES = [
  { name: 'name', type: 'string', searchable: true, maxLength: 200 },
  { name: 'rank', type: 'integer', indexed: true },
  { name: 'other', type: 'integer', reference: { entity: 'Thing', field: 'id' } },
  ...[...BUILT_IN_TYPES.keys()].map((type) => ({ name: `a_${type}`, type })),
]
const RECORDS = Array.from({ length: 9 }, (_, at) => ({
  id: at + 1,
  name: `Thing ${at}`,
  rank: at,
}))

/** The form that installs an entity with a field of every type, a history and nine records. */
export async function thingsForm() {
  const archive = await archiveOf(
    pluginFiles({
      EngineSchemas: { files: { 'Thing.json': { name: 'Thing', properties: PROPERTIES } } },
      EngineEntities: {
        files: { 'Thing.json': { name: 'Thing', history: true, auditable: true } },
      },
      Thing: {
        manifest: { target: 'Thing', insertDuplicate: 'Upsert' },
        files: { 'data.json': RECORDS },
      },
    }),
  )
  const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\n'
  const body = Buffer.concat([Buffer.from(head), archive, Buffer.from('\r\n--x--\r\n')])
  return { body, type: 'multipart/form-data; boundary=x' }
}
