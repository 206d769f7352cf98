'use client'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { isUnused } from './merge-uses'
import { UseList } from './use-list'
import { usesOptions } from './uses-query'

/** People who leaf through images ask for nothing. */
const STAYS_MS = 500

/** The section of an image's panel with the records that use it. */
export function ImageUses({ fileId }: { fileId: string }) {
  const [stays, setStays] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setStays(true), STAYS_MS)
    return () => clearTimeout(timer)
  }, [])
  const { data, error, refetch } = useQuery({ ...usesOptions(fileId), enabled: stays })
  return (
    <section aria-labelledby="image-uses" className="grid gap-2 border-t pt-4">
      <h3 id="image-uses" className="text-[13px] font-medium">
        Used in
      </h3>
      {data && <UseList found={data} />}
      {data && isUnused(data) && <p className="text-[13px] text-muted-foreground">No record.</p>}
      {!data && !error && <Skeleton className="h-4 w-2/3" />}
      {error && (
        <div role="alert" className="flex flex-wrap items-center gap-2 text-[13px]">
          {error.message}
          <Button size="sm" onClick={() => refetch()}>
            Try again
          </Button>
        </div>
      )}
    </section>
  )
}
