import dynamic from 'next/dynamic'
import { useTheme } from 'next-themes'
import { useMemo, useState } from 'react'
import type { Place } from './displays/map-display'
import type { Location } from './location'

const MapCanvas = dynamic(() => import('./displays/map-canvas').then((file) => file.MapCanvas), {
  ssr: false,
})

type Props = {
  /** The field that it stands below: a record has one map, at the first of its places. */
  at: string
  places: ReadonlyMap<string, Location>
}

/** Where the places of a record are, beside the texts that say it; nothing where the browser draws no maps. */
export function PlacesMap({ at, places }: Props) {
  const { resolvedTheme } = useTheme()
  const [failed, setFailed] = useState(false)
  const text = JSON.stringify([...places])
  const shown = useMemo(() => placesIn(JSON.parse(text)), [text])
  if (failed || shown[0]?.id !== at) return null
  return (
    <dd
      aria-hidden
      className="relative order-last col-span-full mt-2 h-40 overflow-hidden rounded-lg border bg-muted"
    >
      <MapCanvas key={resolvedTheme} places={shown} onFailure={() => setFailed(true)} />
    </dd>
  )
}

const placesIn = (places: [string, Location][]): Place[] =>
  places.map(([id, { latitude, longitude }]) => ({
    id,
    title: '',
    at: [Number(longitude), Number(latitude)],
  }))
