import { describe, expect, it } from 'vitest'
import { parseExactJson } from '@/lib/values/exact-json'
import { formatLocation, geoUri, locationAt, locationFields, locationOf } from './location'

const number = (name: string) => ({ name, kind: 'float' as const })

describe('a place', () => {
  it.each([
    ['{"lat":48.1374,"lon":11.5755}', '48.1374° N, 11.5755° E'],
    ['{"Latitude":-33.868820,"lng":151.2093,"zoom":4}', '33.86882° S, 151.2093° E'],
    ['{"type":"Point","coordinates":[-0.1276,51.5072]}', '51.5072° N, 0.1276° W'],
    ['{"lat":"0","long":"0"}', '0° N, 0° E'],
  ])('%s is %s', (json, text) => {
    const location = locationOf(parseExactJson(json))
    expect(location && formatLocation(location)).toBe(text)
  })

  it.each([
    '{"lat":91,"lon":0}',
    '{"lat":1}',
    '{"lat":"","lon":1}',
    '{"lat":null,"lon":1}',
    '[1,2]',
    '7',
    '{"lat":"north","lon":1}',
    '{"lat":true,"lon":1}',
  ])('%s is none', (json) => {
    expect(locationOf(parseExactJson(json))).toBeNull()
  })

  it('keeps its digits for apps', () => {
    const location = locationOf(parseExactJson('{"lat":48.137400001,"lon":-11.50}'))
    expect(location && geoUri(location)).toBe('geo:48.137400001,-11.50')
  })
})

it('is found in pairs of number fields', () => {
  const columns = [
    'lat',
    'lng',
    'officeLatitude',
    'officeLongitude',
    'home_lat',
    'home_lon',
    'flat',
  ].map(number)
  expect(locationFields(columns)).toEqual([
    { latitude: 'lat', longitude: 'lng' },
    { latitude: 'officeLatitude', longitude: 'officeLongitude' },
    { latitude: 'home_lat', longitude: 'home_lon' },
  ])
  expect(locationFields([number('lat'), { name: 'lon', kind: 'text' }])).toEqual([])
  const record = { persistenceId: '1', lat: 1.5, lng: -2 }
  expect(locationAt(record, { latitude: 'lat', longitude: 'lng' })).toEqual({
    latitude: '1.5',
    longitude: '-2',
  })
})
