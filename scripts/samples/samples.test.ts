import { readFileSync } from 'node:fs'
import JSZip from 'jszip'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { brokenExample } from './broken-example'
import { worldAirports } from './world-airports'
import { writeZip } from './write-zip'

describe('the sample plugins', () => {
  test.each([
    ['world-airports.zip', worldAirports],
    ['broken-example.zip', brokenExample],
  ])('%s is what its sources make, to the byte', async (name, files) => {
    const committed = readFileSync(`public/samples/${name}`)
    expect(Buffer.compare(committed, await writeZip(files()))).toBe(0)
  })

  test('world airports has all countries, regions and airports', async () => {
    const zip = await JSZip.loadAsync(readFileSync('public/samples/world-airports.zip'))
    const records = async (path: string) =>
      JSON.parse((await zip.file(`world-airports/${path}/data.json`)?.async('string')) ?? 'null')
    const [countries, regions, large, medium] = await Promise.all(
      ['Country', 'Region', 'Airport/large', 'Airport/medium'].map(records),
    )
    expect([countries.length, regions.length]).toEqual([248, 3_901])
    expect(large.length + medium.length).toBe(5_210)
    expect(medium[0]).toEqual({
      id: 12243,
      ident: '5A8',
      type: 'medium_airport',
      name: 'Aleknagik / New Airport',
      municipality: 'Aleknagik',
      continent: 'NA',
      country: 'US',
      region: 'US-AK',
      location: { lat: 59.2826004028, lon: -158.617996216 },
      elevationFt: 66,
      scheduledService: true,
      iataCode: 'WKK',
      gpsCode: '5A8',
      localCode: '5A8',
      wikipedia: 'https://en.wikipedia.org/wiki/Aleknagik_Airport',
      keywords: [],
    })
  })

  test('its image is a PNG that decodes', async () => {
    const { image } = worldAirports()['world-airports/engineplugin.json'] as { image: string }
    const png = Buffer.from(image.split(',')[1] ?? '', 'base64')
    expect(await sharp(png, { failOn: 'warning' }).stats()).toMatchObject({ isOpaque: false })
  })
})
