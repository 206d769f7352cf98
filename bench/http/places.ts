import { once } from 'node:events'
import type { Sql } from 'postgres'
import type { JsonObject } from '@/lib/values/json'
import { writeZip } from '@/scripts/samples/write-zip'
import { install } from './data'
import { random, randomInteger, zipf } from './random'
import type { Server } from './servers'
import { archiveUpload } from './write-cases'

export const PLACES = 1_000_000
const WORDS = 20_000
const CITIES = 1000
const WORDS_OF_A_TITLE = 3
const WORDS_OF_A_TEXT = 13

const PLACE: JsonObject = {
  name: 'Place',
  properties: [
    { name: 'id', type: 'bigint', meta: { required: true } },
    { name: 'title', type: 'string', meta: { searchable: { weight: 'A' } } },
    { name: 'about', type: 'text', meta: { searchable: { weight: 'B' } } },
    { name: 'spot', type: 'location', meta: { indexed: true } },
  ],
}

/** Installs places, and makes a table of them as one would by hand; the records come from outside, which is quicker. */
export async function makePlaces(engine: Server, sql: Sql): Promise<void> {
  const archive = await writeZip({
    'engineplugin.json': { id: 'com.example.places', name: 'Places', version: '1.0.0' },
    'EngineEntities/__manifest__.json': { target: 'EngineEntities' },
    'EngineEntities/Place.json': { name: 'Place' },
    'EngineSchemas/__manifest__.json': { target: 'EngineSchemas' },
    'EngineSchemas/Place.json': PLACE,
  })
  await install(engine, await archiveUpload(archive))
  await sql`create schema if not exists bench`
  await sql`
    create table bench.place (
      id bigint primary key, title text, about text, spot point,
      words tsvector generated always as (
        setweight(to_tsvector('simple', title), 'A') || setweight(to_tsvector('simple', about), 'B')) stored)`
  await copyPlaces(sql)
  await sql`
    insert into entities.place (id, title, about, spot)
    select id, title, about, jsonb_build_object('lat', spot[1], 'lon', spot[0]) from bench.place`
  await sql`create index on bench.place using gin (words)`
  await sql`create index on bench.place using gist (spot)`
  await sql`vacuum (analyze) bench.place, entities.place`
}

async function copyPlaces(sql: Sql): Promise<void> {
  const rows = await sql`copy bench.place (id, title, about, spot) from stdin`.writable()
  for (let n = 1; n <= PLACES; n++) {
    const { lat, lon } = spotOf(n)
    const texts = [textOf(n, 0, WORDS_OF_A_TITLE), textOf(n, WORDS_OF_A_TITLE, WORDS_OF_A_TEXT)]
    if (!rows.write(`${[n, ...texts, `(${lon},${lat})`].join('\t')}\n`)) await once(rows, 'drain')
  }
  rows.end()
  await once(rows, 'finish')
}

const textOf = (n: number, from: number, count: number): string =>
  Array.from({ length: count }, (_, at) => word(n, from + at)).join(' ')

/** The word at a place of a record, by Zipf's law as in texts that people write. */
const word = (n: number, at: number): string =>
  spelt(zipf(n * (WORDS_OF_A_TITLE + WORDS_OF_A_TEXT) + at, WORDS))

const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu'.split(' ')

/** Four syllables: no word is the beginning of another. */
function spelt(index: number): string {
  const digits = [index % 20, Math.floor(index / 20) % 20, Math.floor(index / 400) % 20]
  const syllables = [...digits, Math.floor(index / 8000)].map((digit) => SYLLABLES[digit])
  return syllables.join('')
}

/** In and around a thousand cities, which have as many places each. */
function spotOf(n: number) {
  const city = cityOf(n % CITIES)
  return { lat: city.lat + random(n, 1) - 0.5, lon: city.lon + random(n + 0.5, 1) - 0.5 }
}

const cityOf = (index: number) => ({
  lat: randomInteger(index, 120) - 55,
  lon: randomInteger(index + 0.5, 350) - 175,
})

export const cityFor = (n: number) => cityOf(randomInteger(n, CITIES))

/** Two words of one record that not every thirtieth record has: what people type to find one. */
export function twoWords(n: number): string {
  const record = 1 + randomInteger(n, PLACES)
  const all = Array.from({ length: WORDS_OF_A_TITLE + WORDS_OF_A_TEXT }, (_, at) =>
    word(record, at),
  )
  const rare = [...new Set(all)].filter((one) => !COMMON.has(one))
  return rare.length >= 2 ? rare.slice(0, 2).join(' ') : twoWords(n + 0.5)
}

const COMMON = new Set(Array.from({ length: 50 }, (_, index) => spelt(index)))
