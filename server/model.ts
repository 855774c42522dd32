import Type from 'typebox';
import { conflict, invalid } from './errors.ts';

/** Bounds of what one field may hold, in characters. */
export const limits = { name: 200, title: 1000, text: 10_000, template: 2 * 2 ** 20 } as const;

/** `/things/{id}` */
export const IdParams = Type.Object({ id: Type.Integer({ minimum: 1 }) });

/** Sent by clients that want to be refused when the object has changed since they loaded it. */
export const baseUpdatedAt = { base_updated_at: Type.Optional(Type.Integer()) };

/**
 * Optimistic concurrency (Core, "General rules").
 *
 * @throws ApiError 409 `common.conflict` when the object is no longer the one the client loaded
 */
export function checkBase(body: { base_updated_at?: number }, stored: { updated_at: number }): void {
  if (body.base_updated_at !== undefined && body.base_updated_at !== stored.updated_at) {
    throw conflict(stored.updated_at);
  }
}

/** @throws ApiError `common.invalid` when there is nothing but white space in a required text */
export function requireText(field: string, text: string): void {
  if (text.trim() === '') throw invalid(field, 'must not be empty');
}

/** A finding about a template that did not keep it from being saved; same shape as errors. */
export const Warning = Type.Object({
  code: Type.String(),
  error: Type.String(),
  params: Type.Record(Type.String(), Type.Unknown()),
});
export type Warning = Type.Static<typeof Warning>;
