import { appConfigQuery, latestUploadQuery, proofChallengeQuery } from '../../api/queries';
import type { Ask } from '../session/guard';

/** What the upload page asks before it shows anything. */
export const askForUpload: Ask = (queries, userId) => {
  void queries.prefetchQuery(appConfigQuery());
  void queries.prefetchQuery(latestUploadQuery(userId));
  void queries.prefetchQuery(proofChallengeQuery(userId));
};
