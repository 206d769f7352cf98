import type { SearchTarget } from '@/lib/registry/target'
import { column, textList, uuid } from './fields'

export const ENGINE_FILES: SearchTarget = {
  name: 'EngineFiles',
  table: { schema: 'engine', name: 'images' },
  fields: [
    uuid('fileId', { column: 'id' }),
    column('id', 'text', { column: 'asset_id' }),
    column('publicId', 'text'),
    column('name', 'text'),
    column('mediaType', 'text'),
    column('uri', 'text', { address: true }),
    column('secureUri', 'text', { address: true }),
    column('bytes', 'integer'),
    column('format', 'text'),
    column('folder', 'text'),
    column('width', 'integer'),
    column('height', 'integer'),
    textList('tags'),
    column('context', 'object'),
    column('crop', 'object', { nullable: true }),
    column('focalPoint', 'object', { nullable: true }),
    column('provider', 'text'),
    column('createdBy', 'text', { nullable: true }),
    column('createdAt', 'datetime'),
    column('updatedAt', 'datetime'),
  ],
  keys: ['fileId'],
  extraColumn: null,
  extraFields: [],
  system: true,
}
