import type { GeoJSONSourceSpecification } from 'maplibre-gl'

type GeoJSON = Exclude<GeoJSONSourceSpecification['data'], string>
type Feature = Extract<GeoJSON, { type: 'Feature' }>
type Geometry = Feature['geometry']
type Position = number[]

/**
 * Outlines that cross the 180th meridian go on beyond ±180° instead of jumping to the other side of
 * the map, where they would be drawn as bands across it.
 */
export function unwrapped(outlines: GeoJSON): GeoJSON {
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
