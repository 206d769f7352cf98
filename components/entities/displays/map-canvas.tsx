import 'maplibre-gl/dist/maplibre-gl.css'
import {
  type GeoJSONSource,
  LngLatBounds,
  Map as MapLibre,
  NavigationControl,
  setWorkerUrl,
} from 'maplibre-gl'
import { useEffect, useRef } from 'react'
import { useHandler } from '@/components/ui/use-handler'
import type { Place } from './map-display'
import { mapStyle, RECORDS, toFeatures } from './map-style'

// A file of this app, so that the policy of its pages need not allow workers of generated code.
setWorkerUrl(new URL('maplibre-gl/dist/maplibre-gl-worker.mjs', import.meta.url).href)

type Props = {
  places: readonly Place[]
  selected?: ReadonlySet<string>
  /** Without it the map is a picture: nothing of it takes the pointer or the focus. */
  onOpen?: (id: string) => void
  onToggle?: (id: string) => void
  /** The browser has no WebGL. */
  onFailure: () => void
}

/** Places on the outlines of countries, near ones as a circle with their number. Nothing is loaded from elsewhere. */
export function MapCanvas({ places, selected = NONE, ...handlers }: Props) {
  const isStill = handlers.onOpen === undefined
  const box = useRef<HTMLDivElement>(null)
  const map = useRef<MapLibre | null>(null)
  const shown = useRef({ places, selected })
  shown.current = { places, selected }
  const pick = useHandler((id: string, toggles: boolean) =>
    toggles ? handlers.onToggle?.(id) : handlers.onOpen?.(id),
  )
  const fail = useHandler(handlers.onFailure)
  useEffect(() => {
    const made = box.current && makeMap(box.current, isStill)
    if (!made) {
      fail()
      return
    }
    map.current = made
    made.on('load', () => show(made, shown.current.places, shown.current.selected))
    if (!isStill) pickOnClick(made, pick)
    fitTo(made, shown.current.places, isStill)
    return () => {
      map.current = null
      made.remove()
    }
  }, [pick, fail, isStill])
  useEffect(() => {
    if (map.current) show(map.current, places, selected)
  }, [places, selected])
  useEffect(() => {
    if (map.current) fitTo(map.current, places, isStill)
  }, [places, isStill])
  // Maplibre's own styles position the box of the map, so another one gives it its size.
  return (
    <div className="absolute inset-0">
      <div ref={box} data-map className="size-full" />
    </div>
  )
}

const NONE: ReadonlySet<string> = new Set()

function makeMap(container: HTMLElement, isStill: boolean): MapLibre | null {
  try {
    const map = new MapLibre({
      container,
      style: mapStyle(container),
      attributionControl: false,
      dragRotate: false,
      pitchWithRotate: false,
      maxZoom: 16,
      interactive: !isStill,
    })
    if (!isStill) map.addControl(new NavigationControl({ showCompass: false }), 'top-right')
    return map
  } catch {
    return null
  }
}

const show = (map: MapLibre, places: readonly Place[], selected: ReadonlySet<string>) =>
  map.getSource<GeoJSONSource>(RECORDS)?.setData(toFeatures(places, selected))

/** Of a picture, which nobody can zoom out of: some countries around the place. */
const STILL_ZOOM = 3
const ZOOM = 9

function fitTo(map: MapLibre, places: readonly Place[], isStill: boolean): void {
  const [first] = places
  if (!first) return
  const bounds = new LngLatBounds(first.at, first.at)
  for (const { at } of places) bounds.extend(at)
  map.fitBounds(bounds, { padding: 48, maxZoom: isStill ? STILL_ZOOM : ZOOM, duration: 0 })
}

/** A point opens, with Ctrl, ⌘ or Shift it is selected; a circle of several is zoomed to. */
function pickOnClick(map: MapLibre, pick: (id: string, toggles: boolean) => void): void {
  const layers = ['cluster', 'point']
  map.on('click', async ({ point, originalEvent }) => {
    const [found] = map.queryRenderedFeatures(point, { layers })
    if (found?.geometry.type !== 'Point') return
    const { cluster_id: cluster, id } = found.properties
    const { ctrlKey, metaKey, shiftKey } = originalEvent
    if (cluster === undefined) return pick(String(id), ctrlKey || metaKey || shiftKey)
    const source = map.getSource<GeoJSONSource>(RECORDS)
    const zoom = await source?.getClusterExpansionZoom(cluster)
    const [longitude = 0, latitude = 0] = found.geometry.coordinates
    map.easeTo({ center: [longitude, latitude], zoom })
  })
  map.on('mousemove', ({ point }) => {
    const isOver = map.queryRenderedFeatures(point, { layers }).length > 0
    map.getCanvas().style.cursor = isOver ? 'pointer' : ''
  })
}
