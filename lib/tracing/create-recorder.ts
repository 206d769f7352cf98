import { isSpanContextValid, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { Recorder } from './tracing'

const EXPORT_EVERY_MS = 2_000

export function createRecorder(endpoint: string, service: string): Recorder {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const batches = new BatchSpanProcessor(exporter, { scheduledDelayMillis: EXPORT_EVERY_MS })
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    spanProcessors: [batches],
  })
  return {
    tracer: provider.getTracer('engine'),
    kinds: SpanKind,
    flush: () => provider.shutdown(),
    contextOf: (parent) => {
      if (parent !== null && typeof parent !== 'string') return trace.setSpan(ROOT_CONTEXT, parent)
      const context = parent === null ? null : readTraceparent(parent)
      return context ? trace.setSpanContext(ROOT_CONTEXT, context) : ROOT_CONTEXT
    },
  }
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** W3C Trace Context, version 00; null for anything else. */
function readTraceparent(text: string) {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text) ?? []
  if (!traceId || !spanId || !flags) return null
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return isSpanContextValid(context) ? context : null
}
