'use client'
import { cn } from '@/components/ui/cn'
import { useIsPageWaiting } from '@/components/ui/pending-page'

/** A bar at the top of the window while a page is on its way: its length grows, never to the end. */
export function PageProgress() {
  const isWaiting = useIsPageWaiting()
  return (
    <>
      <div
        aria-hidden
        className={cn(
          'pointer-events-none fixed inset-x-0 top-0 z-50 h-0.5 origin-left bg-primary',
          isWaiting
            ? 'scale-x-90 opacity-100 transition-transform duration-[8s] ease-out delay-150'
            : 'scale-x-0 opacity-0',
        )}
      />
      <span role="status" className="sr-only">
        {isWaiting && 'Loading the page'}
      </span>
    </>
  )
}
