import { MapPinIcon } from 'lucide-react'
import { formatLocation, geoUri, type Location } from './location'

/** A place that a click opens in the reader's app for maps; nothing is asked of anyone before. */
export const LocationLink = ({ location }: { location: Location }) => (
  <a
    href={geoUri(location)}
    title={`${location.latitude}, ${location.longitude}`}
    className="tabular inline-flex items-center gap-1 text-primary underline-offset-2 hover:underline"
  >
    <MapPinIcon aria-hidden className="size-3.5 shrink-0" />
    {formatLocation(location)}
  </a>
)
