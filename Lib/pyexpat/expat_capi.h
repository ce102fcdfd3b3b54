/* The functions of expat that pyexpat's capsule hands to other modules. The
   order, the field names and the sizes are CPython 3.11's ABI. */
#ifndef SB_EXPAT_CAPI_H
#define SB_EXPAT_CAPI_H

#include <expat.h>

struct PyExpat_CAPI {
    char *magic;                /* CAPI_MAGIC */
    int size;                   /* of this struct */
    int MAJOR_VERSION, MINOR_VERSION, MICRO_VERSION;
    const XML_LChar *(*ErrorString)(enum XML_Error);
    enum XML_Error (*GetErrorCode)(XML_Parser);
    XML_Size (*GetErrorColumnNumber)(XML_Parser);
    XML_Size (*GetErrorLineNumber)(XML_Parser);
    enum XML_Status (*Parse)(XML_Parser, const char *, int, int);
    XML_Parser (*ParserCreate_MM)(const XML_Char *,
                                  const XML_Memory_Handling_Suite *,
                                  const XML_Char *);
    void (*ParserFree)(XML_Parser);
    void (*SetCharacterDataHandler)(XML_Parser, XML_CharacterDataHandler);
    void (*SetCommentHandler)(XML_Parser, XML_CommentHandler);
    void (*SetDefaultHandlerExpand)(XML_Parser, XML_DefaultHandler);
    void (*SetElementHandler)(XML_Parser, XML_StartElementHandler,
                              XML_EndElementHandler);
    void (*SetNamespaceDeclHandler)(XML_Parser, XML_StartNamespaceDeclHandler,
                                    XML_EndNamespaceDeclHandler);
    void (*SetProcessingInstructionHandler)(XML_Parser,
                                            XML_ProcessingInstructionHandler);
    void (*SetUnknownEncodingHandler)(XML_Parser, XML_UnknownEncodingHandler,
                                      void *);
    void (*SetUserData)(XML_Parser, void *);
    void (*SetStartDoctypeDeclHandler)(XML_Parser,
                                       XML_StartDoctypeDeclHandler);
    enum XML_Status (*SetEncoding)(XML_Parser, const XML_Char *);
    int (*DefaultUnknownEncodingHandler)(void *, const XML_Char *,
                                         XML_Encoding *);
    int (*SetHashSalt)(XML_Parser, unsigned long);
};

#endif
