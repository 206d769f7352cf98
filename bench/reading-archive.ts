import type { JsonObject } from '@/lib/values/json'
import { writeZip } from '@/scripts/samples/write-zip'

/** Readings of sensors: numbers, texts, a time, a boolean and free JSON. */
export const COLUMNS =
  '"id" bigint, "sensor" text, "value" double precision, "unit" text, "takenAt" timestamptz, "valid" boolean, "note" text, "raw" jsonb'
export const FIELDS = '"id", "sensor", "value", "unit", "takenAt", "valid", "note", "raw"'

const SCHEMA: JsonObject = {
  name: 'Reading',
  additionalProperties: false,
  properties: [
    { name: 'id', type: 'bigint', meta: { required: true } },
    { name: 'sensor', type: 'string', meta: { required: true, indexed: true } },
    { name: 'value', type: 'double', meta: { required: true } },
    { name: 'unit', type: 'string', meta: { enum: ['°C', 'bar', 'rpm'] } },
    { name: 'takenAt', type: 'datetime', meta: { required: true } },
    { name: 'valid', type: 'boolean' },
    { name: 'note', type: 'string', meta: { maxLength: 200 } },
    { name: 'raw', type: 'json' },
  ],
}

export const makeReading = (index: number): JsonObject => ({
  id: index + 1,
  sensor: `sensor-${index % 500}`,
  value: Math.round(Math.sin(index) * 1e6) / 1e3,
  unit: ['°C', 'bar', 'rpm'][index % 3] ?? null,
  takenAt: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
  valid: index % 7 > 0,
  note: `Reading ${index} of the plant, taken by hand`,
  raw: { channel: index % 16, samples: [index % 10, index % 100] },
})

export const makeReadings = (count: number): JsonObject[] =>
  Array.from({ length: count }, (_, index) => makeReading(index))

/** The definition of `Reading` in an archive. */
export const READING_FILES = {
  'EngineEntities/__manifest__.json': { target: 'EngineEntities' },
  'EngineEntities/Reading.json': { name: 'Reading' },
  'EngineSchemas/__manifest__.json': { target: 'EngineSchemas' },
  'EngineSchemas/Reading.json': SCHEMA,
}

/** An archive that defines `Reading` and holds its records, a file for each of the lists. */
export const readingArchive = (files: JsonObject[][]): Promise<Uint8Array> =>
  writeZip({
    'engineplugin.json': { id: 'com.example.bench', name: 'Bench', version: '1.0.0' },
    ...READING_FILES,
    'Reading/__manifest__.json': { target: 'Reading' },
    ...Object.fromEntries(files.map((records, at) => [`Reading/data-${at}.json`, records])),
  })

/** Equal parts, in order. */
export function partsOf<T>(items: readonly T[], parts: number): T[][] {
  const size = Math.ceil(items.length / parts)
  return Array.from({ length: parts }, (_, at) => items.slice(at * size, (at + 1) * size))
}
