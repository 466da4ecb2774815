import { testUploadScreens } from './upload-screens';

testUploadScreens(768);
