import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'

const TYPING_MS = 350

type Options<Result> = {
  /** Of all that the run depends on but the input. */
  queryKey: readonly unknown[]
  /** The input as text; null while it is incomplete. */
  input: string | null
  run: (signal: AbortSignal) => Promise<Result>
}

/**
 * Runs an edit without effect when its input is complete and has not changed for a moment. A change of the input
 * cancels the run.
 */
export function useDryRun<Result>({ queryKey, input, run }: Options<Result>) {
  const [settled, setSettled] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(input), TYPING_MS)
    return () => clearTimeout(timer)
  }, [input])
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...queryKey, input],
    queryFn: ({ signal }) => run(signal),
    enabled: input !== null && input === settled,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  return {
    data: isFetching ? undefined : data,
    error: isFetching ? null : error,
    isRunning: input !== null && (input !== settled || isFetching),
    again: () => void refetch(),
  }
}

type PreviewProps = {
  isRunning: boolean
  /** How far it is, or the numbers that it found. */
  status: ReactNode
  /** Shown with the way to try again. */
  error: Error | null
  again: () => void
  className: string
  children?: ReactNode
}

/** What an edit would do, or why it can't be done. */
export function DryRunPreview(props: PreviewProps) {
  const { isRunning, status, error, again, className, children } = props
  return (
    <section
      aria-label="Preview"
      aria-busy={isRunning}
      className={`grid content-start gap-3 ${className}`}
    >
      <p role="status" className="text-[13px] text-muted-foreground">
        {status}
      </p>
      {error && (
        <Notice
          tone="destructive"
          role="alert"
          actions={
            <Button size="sm" onClick={again}>
              Try again
            </Button>
          }
        >
          {error.message}
        </Notice>
      )}
      {children}
    </section>
  )
}
