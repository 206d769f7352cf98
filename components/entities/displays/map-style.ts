import type { GeoJSONSourceSpecification, StyleSpecification } from 'maplibre-gl'
import { feature } from 'topojson-client'
import type { Topology } from 'topojson-specification'
import countries from 'world-atlas/countries-110m.json'
import type { Place } from './map-display'

/** The source of the records' places. */
export const RECORDS = 'records'

type Data = Exclude<GeoJSONSourceSpecification['data'], string>

/** Outlines of countries and circles of places, in the colours of the page around `element`. */
export function mapStyle(element: HTMLElement): StyleSpecification {
  const color = (name: string) => rgbOf(getComputedStyle(element).getPropertyValue(name))
  const fill = ['case', ['get', 'selected'], color('--warning'), color('--primary')]
  return {
    version: 8,
    sources: {
      countries: { type: 'geojson', data: outlines() },
      [RECORDS]: {
        type: 'geojson',
        data: toFeatures([], new Set()),
        cluster: true,
        clusterMaxZoom: 14,
        clusterRadius: 44,
      },
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': color('--muted') } },
      {
        id: 'land',
        type: 'fill',
        source: 'countries',
        paint: { 'fill-color': color('--card'), 'fill-outline-color': color('--border') },
      },
      {
        id: 'border',
        type: 'line',
        source: 'countries',
        paint: { 'line-color': color('--border'), 'line-width': 1 },
      },
      {
        id: 'cluster',
        type: 'circle',
        source: RECORDS,
        filter: ['has', 'point_count'],
        paint: {
          'circle-color': color('--primary'),
          'circle-opacity': 0.9,
          'circle-radius': ['step', ['get', 'point_count'], 13, 10, 16, 100, 20],
        },
      },
      {
        id: 'number',
        type: 'symbol',
        source: RECORDS,
        filter: ['has', 'point_count'],
        layout: {
          'text-field': ['get', 'point_count_abbreviated'],
          'text-font': ['sans-serif'],
          'text-size': 12,
          'text-allow-overlap': true,
        },
        paint: { 'text-color': color('--primary-foreground') },
      },
      {
        id: 'point',
        type: 'circle',
        source: RECORDS,
        filter: ['!', ['has', 'point_count']],
        paint: {
          'circle-color': fill as never,
          'circle-radius': 6,
          'circle-stroke-width': 1.5,
          'circle-stroke-color': color('--card'),
        },
      },
    ],
  }
}

export const toFeatures = (places: readonly Place[], selected: ReadonlySet<string>): Data => ({
  type: 'FeatureCollection',
  features: places.map(({ id, title, at }) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: at },
    properties: { id, title, selected: selected.has(id) },
  })),
})

function outlines(): Data {
  const topology = countries as unknown as Topology
  const object = topology.objects.countries
  return object ? unwrapped(feature(topology, object)) : toFeatures([], new Set())
}

/** As the map reads colours, which knows none of the newer ways to write them. */
function rgbOf(color: string): string {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (!context) return 'gray'
  context.fillStyle = color.trim()
  context.fillRect(0, 0, 1, 1)
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data
  return `rgb(${red}, ${green}, ${blue})`
}

type GeoJSON = Exclude<GeoJSONSourceSpecification['data'], string>
type Feature = Extract<GeoJSON, { type: 'Feature' }>
type Geometry = Feature['geometry']
type Position = number[]

/**
 * Outlines that cross the 180th meridian go on beyond ±180° instead of jumping to the other side of
 * the map, where they would be drawn as bands across it.
 */
function unwrapped(outlines: GeoJSON): GeoJSON {
  if (outlines.type === 'FeatureCollection')
    return { ...outlines, features: outlines.features.map(unwrappedFeature) }
  return outlines.type === 'Feature' ? unwrappedFeature(outlines) : unwrappedGeometry(outlines)
}

const unwrappedFeature = (feature: Feature): Feature => ({
  ...feature,
  geometry: unwrappedGeometry(feature.geometry),
})

function unwrappedGeometry(geometry: Geometry): Geometry {
  if (geometry.type === 'Polygon')
    return { ...geometry, coordinates: geometry.coordinates.map(unwrappedRing) }
  if (geometry.type === 'MultiPolygon')
    return { ...geometry, coordinates: geometry.coordinates.map((p) => p.map(unwrappedRing)) }
  return geometry
}

/** A ring around a pole, which has no two ends to join, stays as it is. */
export function unwrappedRing(ring: Position[]): Position[] {
  let before = ring[0]?.[0] ?? 0
  const moved = ring.map(([longitude = 0, latitude = 0]) => {
    before = longitude + 360 * Math.round((before - longitude) / 360)
    return [before, latitude]
  })
  return moved[0]?.[0] === moved.at(-1)?.[0] ? moved : ring
}
