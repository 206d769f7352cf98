import JSZip from 'jszip'
import { filmDatabase } from '@/scripts/steps/film-database.mjs'
import { test } from './fixtures'

type Row = Record<string, string | number | null>
export type Films = { films: Row[]; people: Row[]; planets: Row[]; roles: Row[] }

/** A film database of others as tables: films, people, planets, and who is in which film. Without the registry the test is left out. */
export async function foreignFilms(): Promise<Films> {
  const found = await filmDatabase()
  test.skip(found === null, 'the registry is not reached')
  const { films = [], people = [], planets = [] } = found ?? {}
  const ids = (records: readonly object[]) => new Set(records.map((record) => idIn(record, 'url')))
  const [known, home] = [ids(people), ids(planets)]
  return {
    films: films.map((film) => ({
      ...{ id: idIn(film, 'url'), title: String(film.title), episode: Number(film.episode_id) },
      ...{ director: String(film.director), released: String(film.release_date) },
    })),
    people: people.map((person) => {
      const homeworld = idIn(person, 'homeworld')
      return {
        ...{ id: idIn(person, 'url'), name: String(person.name), gender: String(person.gender) },
        ...{ height: numberOf(person.height), homeworld: home.has(homeworld) ? homeworld : null },
      }
    }),
    planets: planets.map((planet) => ({
      ...{ id: idIn(planet, 'url'), name: String(planet.name), climate: String(planet.climate) },
      population: numberOf(planet.population),
    })),
    roles: films.flatMap((film) =>
      [...new Set(film.characters as string[])]
        .map((address, at) => ({ film: idIn(film, 'url'), person: idOf(address), billing: at + 1 }))
        .filter(({ person }) => known.has(person)),
    ),
  }
}

const idOf = (address: unknown) => Number(/\/(\d+)\/$/.exec(String(address))?.[1] ?? 0)
const idIn = (record: object, name: string) => idOf((record as Record<string, unknown>)[name])
const numberOf = (text: unknown) =>
  /^[\d,.]+$/.test(String(text)) ? Number(String(text).replaceAll(',', '')) : null

/** An archive with their model, whose entities begin with `p`. */
export async function filmArchive(p: string, { films, people, planets, roles }: Films) {
  const zip = new JSZip()
  const put = (path: string, value: unknown) => zip.file(path, JSON.stringify(value))
  const fixed = (...keys: string[]) =>
    keys.map((key) => ({ key, strategy: 'Fixed', type: 'number' }))
  put('engineplugin.json', { id: `test.${p.toLowerCase()}`, name: `${p} films`, version: '1.0.0' })
  put('EngineSchemas/__manifest__.json', { target: 'EngineSchemas' })
  put('EngineEntities/__manifest__.json', { target: 'EngineEntities' })
  const define = (name: string, properties: object[], records: Row[], more: object = {}) => {
    put(`EngineSchemas/${p}${name}.json`, { name: `${p}${name}`, properties })
    put(`EngineEntities/${p}${name}.json`, { name: `${p}${name}`, pks: fixed('id'), ...more })
    put(`${p}${name}/__manifest__.json`, { target: `${p}${name}` })
    put(`${p}${name}/data.json`, records)
  }
  const typed = (type: string, names: string) => names.split(' ').map((name) => ({ name, type }))
  const to = (name: string, entity: string, more: object = {}) => ({
    ...{ name, type: 'integer' },
    meta: { reference: { entity: `${p}${entity}`, field: 'id', ...more } },
  })
  define('Film', [
    ...typed('string', 'title director'),
    ...typed('integer', 'episode'),
    ...typed('date', 'released'),
  ], films)
  define('Planet', [...typed('string', 'name climate'), ...typed('bigint', 'population')], planets)
  define('Person', [
    ...typed('string', 'name gender'),
    ...typed('double', 'height'),
    to('homeworld', 'Planet'),
  ], people)
  define(
    'Role',
    [
      to('film', 'Film', { inverse: 'characters' }),
      to('person', 'Person', { inverse: 'films' }),
      ...typed('integer', 'billing'),
    ],
    roles,
    { link: true, pks: fixed('film', 'person') },
  )
  return zip.generateAsync({ type: 'nodebuffer' })
}
