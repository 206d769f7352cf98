import type { JsonObject } from '@/lib/values/json'

const CONTINENTS = ['AF', 'AN', 'AS', 'EU', 'NA', 'OC', 'SA']
const COUNTRY_CODE = '^[A-Z]{2}$'
const continent = { name: 'continent', type: 'string', meta: { enum: CONTINENTS, indexed: true } }
const wikipedia = { name: 'wikipedia', type: 'url', label: 'Wikipedia' }
const keywords = {
  name: 'keywords',
  type: 'array',
  meta: { description: 'Other names people search for' },
}
const name = { name: 'name', type: 'string', meta: { required: true, searchable: true } }
const codeKey = [{ key: 'code', strategy: 'Fixed', type: 'string' }]

/** The three halves of each kind: what `EngineEntities` holds. */
export const ENTITIES: JsonObject[] = [
  { name: 'Country', description: 'Countries of the world, from ${config.source}', pks: codeKey },
  { name: 'Region', description: 'First-level subdivisions of countries', pks: codeKey },
  {
    name: 'Airport',
    description: 'Large and medium airports, from ${config.source}',
    pks: [{ key: 'id', strategy: 'AutoIncrement', type: 'number' }],
    indexes: [{ fields: ['country', 'type'] }],
  },
]

/** What `EngineSchemas` holds. */
export const SCHEMAS: JsonObject[] = [
  {
    name: 'Country',
    label: 'Country',
    additionalProperties: false,
    properties: [
      { name: 'code', type: 'string', meta: { required: true, pattern: COUNTRY_CODE } },
      { ...name, meta: { ...name.meta, unique: true, maxLength: 100 } },
      { ...continent, meta: { ...continent.meta, required: true } },
      wikipedia,
      keywords,
    ],
  },
  {
    name: 'Region',
    label: 'Region',
    additionalProperties: false,
    properties: [
      {
        name: 'code',
        type: 'string',
        meta: { required: true, pattern: '^[A-Z]{2}-[A-Z0-9-]+$', description: 'ISO 3166-2' },
      },
      { name: 'localCode', type: 'string', meta: { maxLength: 20 } },
      name,
      continent,
      {
        name: 'country',
        type: 'string',
        meta: { required: true, indexed: true, reference: { entity: 'Country', field: 'code' } },
      },
      wikipedia,
      keywords,
    ],
  },
  {
    name: 'Airport',
    label: 'Airport',
    additionalProperties: false,
    properties: [
      { name: 'id', type: 'integer', meta: { min: 1 } },
      {
        name: 'ident',
        type: 'string',
        label: 'Identifier',
        meta: { required: true, unique: true, pattern: '^[A-Za-z0-9-]{2,10}$' },
      },
      {
        name: 'type',
        type: 'string',
        meta: { required: true, enum: ['large_airport', 'medium_airport'], indexed: true },
      },
      name,
      { name: 'municipality', type: 'string', meta: { maxLength: 100, searchable: true } },
      { ...continent, meta: { ...continent.meta, required: true } },
      {
        name: 'country',
        type: 'string',
        meta: { required: true, indexed: true, reference: { entity: 'Country', field: 'code' } },
      },
      {
        name: 'region',
        type: 'string',
        meta: { required: true, indexed: true, reference: { entity: 'Region', field: 'code' } },
      },
      {
        name: 'location',
        type: 'json',
        meta: { required: true, description: 'lat and lon in decimal degrees (WGS 84)' },
      },
      {
        name: 'elevationFt',
        type: 'integer',
        label: 'Elevation (ft)',
        meta: { min: -1500, max: 30000 },
      },
      { name: 'scheduledService', type: 'boolean', meta: { required: true, default: false } },
      {
        name: 'iataCode',
        type: 'string',
        label: 'IATA code',
        meta: { unique: true, pattern: '^[A-Z0-9]{3}$' },
      },
      { name: 'gpsCode', type: 'string', label: 'GPS code', meta: { indexed: true } },
      { name: 'localCode', type: 'string', meta: { maxLength: 20 } },
      { name: 'homepage', type: 'url' },
      wikipedia,
      keywords,
    ],
  },
]
