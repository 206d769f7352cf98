import { bodyOf, pageOf } from './bare-json.mjs'

const FIELDS = 'id, title'
const EARTH_KM = 6371.0088
const KM_A_DEGREE = (Math.PI * EARTH_KM) / 180
/** From the point of a row to the latitude `$1` and the longitude `$2`, by haversines. */
const DISTANCE = `(2 * ${EARTH_KM} * asin(sqrt(power(sin((radians(spot[1]) - radians($1)) / 2), 2)
  + cos(radians($1)) * cos(radians(spot[1])) * power(sin(radians(spot[0] - $2) / 2), 2))))`

/** Routes that search a table of places with a stored document and an index of points; as `reads`. */
export function places(first) {
  const texts = pageOf(
    FIELDS,
    `bench.place, to_tsquery('simple', $1) as asked`,
    'words @@ asked',
    'ts_rank(words, asked) desc, id desc',
  )
  const near = pageOf(
    FIELDS,
    'bench.place',
    `spot <@ box(point($3, $4), point($5, $6)) and ${DISTANCE} <= $7`,
    `${DISTANCE}, id`,
  )
  return {
    '/places/texts': async (query) =>
      bodyOf(await first(texts, [query.get('q').replace(' ', ' & ').concat(':*')])),
    '/places/near': async (query) => {
      const [lat, lon, km] = ['lat', 'lon', 'km'].map((name) => Number(query.get(name)))
      const high = km / KM_A_DEGREE
      const wide = high / Math.cos(((Math.abs(lat) + high) * Math.PI) / 180)
      const box = [lon - wide, lat - high, lon + wide, lat + high]
      return bodyOf(await first(near, [lat, lon, ...box, km]))
    },
  }
}
