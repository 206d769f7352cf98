import { WifiOffIcon } from 'lucide-react'
import { useIsOnline } from '@/components/ui/use-is-online'

/** Says that there is no connection, and what becomes of the work meanwhile. */
export function OfflineBanner() {
  const isOnline = useIsOnline()
  return (
    <div role="status">
      {!isOnline && (
        <p className="flex items-center gap-2 border-b border-warning bg-warning-soft px-4 py-2 text-[13px] sm:px-6">
          <WifiOffIcon aria-hidden className="size-4 shrink-0 text-warning" />
          You are offline. What you see may be out of date; what you save is sent when the
          connection is back.
        </p>
      )}
    </div>
  )
}
