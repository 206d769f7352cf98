import { Skeleton } from '@/components/ui/skeleton'

/** Shown until the document is loaded. */
export const DocsSkeleton = () => (
  <div aria-busy className="grid gap-x-8 gap-y-4 lg:grid-cols-[18rem_minmax(0,1fr)]">
    <div className="grid content-start gap-3">
      <Skeleton className="h-8" />
      {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((key) => (
        <Skeleton key={key} className="w-48" />
      ))}
    </div>
    <div className="grid content-start gap-3 max-lg:hidden">
      <Skeleton className="h-6 w-56" />
      <Skeleton className="max-w-prose" />
      <Skeleton className="h-24 max-w-3xl" />
    </div>
  </div>
)
