import dynamic from 'next/dynamic'
import type { Display } from '@/components/data-table/list-params'
import { Skeleton } from '@/components/ui/state'
import type { DisplayProps } from './supported'

const loading = () => <Skeleton className="h-auto min-h-96 flex-1 rounded-lg" />

const CardsDisplay = dynamic(() => import('./cards-display'), { ssr: false, loading })
const CalendarDisplay = dynamic(() => import('./calendar-display'), { ssr: false, loading })
const MapDisplay = dynamic(() => import('./map-display'), { ssr: false, loading })

/** Records in another form than the table; the code of each is loaded when it is shown. */
export default function OtherDisplay({ display, ...props }: DisplayProps & { display: Display }) {
  if (display === 'cards') return <CardsDisplay {...props} />
  if (display === 'calendar') return <CalendarDisplay {...props} />
  if (display === 'map') return <MapDisplay {...props} />
  return null
}
