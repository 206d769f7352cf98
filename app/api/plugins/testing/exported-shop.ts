import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'

export const deps = freshDeps()
export const ID = 'com.example.shop'

const PROPERTIES = [
  { name: 'title', type: 'string', label: 'Title', meta: { required: true, maxLength: 80 } },
  { name: 'price', type: 'decimal', meta: { min: 0, default: 1 } },
  { name: 'code', type: 'Short', meta: { unique: true, description: 'A short one' } },
  { name: 'at', type: 'Date' },
  { name: 'doc', type: 'json' },
  { name: 'parent', type: 'bigint', meta: { reference: { entity: 'Book', field: 'id' } } },
]
const RECORDS = [
  {
    id: 10,
    title: 'Ä "quoted"\n€😀',
    price: '12345678901234567890.10',
    at: '2024-02-29T12:00:00Z',
  },
  { id: 2, title: 'b', doc: { deep: [1, 'exact'] }, extra: 'x', code: 'ab' },
  { id: 1, title: 'c', parent: 10, price: null },
]
export const SHOP = pluginFiles(
  {
    EngineTypes: {
      files: { 's.json': { name: 'Short', baseType: 'string', meta: { length: 3 } } },
    },
    EngineSchemas: { files: { 'b.json': { name: 'Book', properties: PROPERTIES } } },
    EngineEntities: {
      files: {
        'b.json': {
          name: 'Book',
          auditable: true,
          indexes: [{ fields: ['title', 'price'] }],
          permissions: { delete: false },
        },
        't.json': { name: 'Tag', pks: [{ key: 'name', strategy: 'Fixed' }] },
      },
    },
    EngineRoles: { files: { 'r.json': { name: 'Clerk / Nord', label: 'Clerk', note: 1 } } },
    EnginePolicies: {
      files: {
        'p.json': {
          name: 'clerks',
          principals: ['Clerk / Nord'],
          entities: ['Book'],
          actions: ['read'],
        },
      },
    },
    Book: {
      files: { 'data.json': JSON.stringify(RECORDS).replace('"exact"', '12345678901234567.25') },
    },
    Tag: { files: { 'data.json': [{ name: 'b' }, { name: 'B' }, { name: 'a' }] } },
  },
  { id: ID, license: 'MIT', homepage: 'https://example.com' },
)
