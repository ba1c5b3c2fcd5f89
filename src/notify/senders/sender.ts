import type { Notification } from '../notification-text.ts';

/** Delivers one notification. @throws {DeliveryError} when the target did not accept it */
export type Send = (notification: Notification, signal: AbortSignal) => Promise<void>;
