/* global require -- Babel makes CommonJS of this file */
import { request as send } from 'node:http';

// What iOS does for React Native, done by Node: requests, the bytes of answers, and whether the application is looked at. All that is
// JavaScript there is that of React Native here.
const requests = new Map();
const blobs = new Map();
const network = { isReached: true, holdsStreams: false };
let made = 0;

/** Requests that Herald has not answered to their end. */
export const openRequests = () => [...requests.values()].map(({ path }) => path);

/** @param change `isReached`: whether there is a network. `holdsStreams`: whether something on the way gives answers as a whole only */
export function setNetwork(change) {
  Object.assign(network, change);
  if (!network.isReached) for (const request of requests.values()) request.destroy(new Error('No network'));
}

/** @param state `active`, `inactive` or `background` */
export const setAppState = (state) => emit('appStateDidChange', { app_state: state });

function sendRequest({ method, url, headers, data, responseType, incrementalUpdates }, callback) {
  const id = ++made;
  callback(id);
  const { string: body } = data;
  const length = body !== undefined && { 'content-length': Buffer.byteLength(body) };
  const request = send(url, { method, headers: { ...headers, ...length }, agent: false });
  requests.set(id, request);
  const end = (error) => {
    if (requests.delete(id)) emit('didCompleteNetworkResponse', [id, error, false]);
  };
  request.on('error', ({ message }) => end(message));
  request.on('response', (response) => {
    const isInPieces = responseType === 'text' && incrementalUpdates && !network.holdsStreams;
    const begin = () => emit('didReceiveNetworkResponse', [id, response.statusCode, response.headers, url]);
    response.on('error', ({ message }) => end(message));
    if (isInPieces) {
      begin();
      response.setEncoding('utf8');
      response.on('data', (text) => emit('didReceiveNetworkIncrementalData', [id, text, text.length, -1]));
      response.on('end', () => end(null));
      return;
    }
    const chunks = [];
    response.on('data', (chunk) => chunks.push(chunk));
    response.on('end', () => {
      begin();
      emit('didReceiveNetworkData', [id, answerOf(Buffer.concat(chunks), responseType)]);
      end(null);
    });
  });
  if (network.isReached) request.end(body);
  else request.destroy(new Error('No network'));
}

function answerOf(bytes, responseType) {
  if (responseType === 'text') return bytes.toString();
  const blobId = `blob-${++made}`;
  blobs.set(blobId, bytes);
  return { blobId, offset: 0, size: bytes.length };
}

function abortRequest(id) {
  const request = requests.get(id);
  requests.delete(id);
  request?.destroy();
}

function emit(event, told) {
  // Loaded when it is needed: it is part of what asks for this file.
  require('react-native/Libraries/EventEmitter/RCTDeviceEventEmitter').default.emit(event, told);
}

const listening = { addListener: () => undefined, removeListeners: () => undefined };

export const modules = {
  Networking: { sendRequest, abortRequest, clearCookies: () => undefined, ...listening },
  BlobModule: {
    getConstants: () => ({ BLOB_URI_SCHEME: 'blob', BLOB_URI_HOST: null }),
    addNetworkingHandler: () => undefined,
    createFromParts: (parts, id) => blobs.set(id, Buffer.from(parts.map(({ data }) => data).join(''))),
    release: (id) => blobs.delete(id),
  },
  FileReaderModule: { readAsText: async ({ blobId }) => blobs.get(blobId).toString() },
  AppState: {
    getConstants: () => ({ initialAppState: 'active' }),
    getCurrentAppState: (tell) => tell({ app_state: 'active' }),
    ...listening,
  },
};
