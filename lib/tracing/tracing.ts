import type { Span, SpanKind, Tracer } from '@opentelemetry/api'

type Attributes = Record<string, string | number | boolean>

/** What records spans while an exporter is configured: see `lib/telemetry`. */
export type Recorder = {
  tracer: Tracer
  /** The context of a span's children, and of a W3C `traceparent`. */
  contextOf: (parent: Span | string | null) => Parameters<Tracer['startSpan']>[2]
  kinds: typeof SpanKind
}

// On `globalThis`: each route is a bundle with a copy of this module.
const shared = globalThis as typeof globalThis & { __engineTracing?: Recorder }

export const recorder = (): Recorder | undefined => shared.__engineTracing

export function setRecorder(recorder: Recorder | undefined): void {
  shared.__engineTracing = recorder
}

/** The trace of one piece of work; null where none is recorded. */
export type Trace = {
  /** Records what ran from `startedAt`, of `performance.now()`, until now. */
  part(name: string, startedAt: number, attributes?: Attributes): void
  /** Ends the trace; `failed` marks it as an error. */
  end(attributes?: Attributes, failed?: boolean): void
}

/**
 * Begins a trace of `name`, which continues the caller's `traceparent` where there is one. Names and attributes hold
 * no values, keys or addresses.
 */
export function beginTrace(
  name: string,
  { traceparent = null, attributes }: { traceparent?: string | null; attributes?: Attributes } = {},
): Trace | null {
  const { tracer, contextOf, kinds } = shared.__engineTracing ?? {}
  if (!tracer || !contextOf || !kinds) return null
  const span = tracer.startSpan(name, { kind: kinds.SERVER, attributes }, contextOf(traceparent))
  const inside = contextOf(span)
  return {
    part(name, startedAt, attributes) {
      const startTime = performance.timeOrigin + startedAt
      tracer.startSpan(name, { startTime, attributes }, inside).end()
    },
    end(attributes, failed = false) {
      if (attributes) span.setAttributes(attributes)
      if (failed) span.setStatus({ code: ERROR })
      span.end()
    },
  }
}

/** `SpanStatusCode.ERROR`, without loading the package. */
const ERROR = 2

/** Runs `work` as a part of `trace`, or as a trace of its own. */
export async function traced<T>(
  trace: Trace | null | undefined,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  if (!shared.__engineTracing) return work()
  const startedAt = performance.now()
  const own = trace ? null : beginTrace(name)
  try {
    return await work()
  } finally {
    if (own) own.end()
    else trace?.part(name, startedAt)
  }
}
