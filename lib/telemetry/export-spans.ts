import { isSpanContextValid, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { Recorder } from '@/lib/tracing/tracing'
import { EXPORT_MS, resourceOf } from './resource'

const EXPORT_EVERY_MS = 2_000

export function createRecorder(url: string, service: string) {
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: EXPORT_MS })
  const batches = { scheduledDelayMillis: EXPORT_EVERY_MS, exportTimeoutMillis: EXPORT_MS }
  const provider = new BasicTracerProvider({
    resource: resourceOf(service),
    spanProcessors: [new BatchSpanProcessor(exporter, batches)],
  })
  const recorder: Recorder = {
    tracer: provider.getTracer('engine'),
    kinds: SpanKind,
    contextOf: (parent) => {
      if (parent !== null && typeof parent !== 'string') return trace.setSpan(ROOT_CONTEXT, parent)
      const context = parent === null ? null : readTraceparent(parent)
      return context ? trace.setSpanContext(ROOT_CONTEXT, context) : ROOT_CONTEXT
    },
  }
  return { recorder, stop: () => provider.shutdown() }
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** W3C Trace Context, version 00; null for anything else. */
function readTraceparent(text: string) {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text) ?? []
  if (!traceId || !spanId || !flags) return null
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return isSpanContextValid(context) ? context : null
}
